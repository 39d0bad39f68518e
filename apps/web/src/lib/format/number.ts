import { isolated } from '@stet/domain/workflows';
import { knownLanguages } from './languages.ts';

/** Returns a formatter of whole numbers for these languages (BCP 47; the first supported one is used). */
export function numbersIn(languages: readonly string[]): (count: number) => string {
  const format = new Intl.NumberFormat(knownLanguages(languages), { maximumFractionDigits: 0 });
  return (count) => isolated(format.format(count));
}

/** Formats a number in the browser's language, for example `1,234`. */
export const formatNumber = numbersIn(navigator.languages);

/** A number with its noun: `1 run`, `1,234 runs`. `many` is the plural if it is irregular. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
