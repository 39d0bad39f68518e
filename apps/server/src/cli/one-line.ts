import { codePoint } from '@stet/domain/workflows';

/** Text in one line without control characters, so that it can't look like other lines or control the terminal. */
export const onOneLine = (text: string): string =>
  text.replaceAll(/\s*[\t\r\n]\s*/g, ' ⏎ ').replaceAll(/[\p{Cc}\u2028\u2029]/gu, codePoint);
