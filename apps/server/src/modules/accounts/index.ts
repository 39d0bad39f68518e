export { closeResets, endOtherSessions, proveAccount } from './accounts.sql.ts';
export { organizationsOf } from './describe-user.ts';
export { assertPasswordsAllowed } from './password-sign-in.ts';
