import { isolated } from '@stet/domain/workflows';
import { knownLanguages } from './languages.ts';

/** Formats whole numbers for these languages (BCP 47; the first supported one is used). */
export function numbersIn(languages: readonly string[]): (count: number) => string {
  const format = new Intl.NumberFormat(knownLanguages(languages), { maximumFractionDigits: 0 });
  return (count) => isolated(format.format(count));
}

/** `1,234` in the browser's language. */
export const formatNumber = numbersIn(navigator.languages);

/** `1 run`, `1,234 runs`. `many`: for irregular plurals. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
