export { endPersonalTokens, endTokensOf } from './end-tokens.ts';
