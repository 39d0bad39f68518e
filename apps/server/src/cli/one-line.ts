import { codePoint } from '@stet/domain/workflows';

/** Puts text on one line without control characters, so that it can't imitate other lines or control the terminal. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/\s*[\t\r\n]\s*/g, ' ⏎ ').replaceAll(/[\p{Cc}\u2028\u2029]/gu, codePoint);
