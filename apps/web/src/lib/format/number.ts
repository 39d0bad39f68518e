import { isolated } from '@stet/domain/workflows';
import { knownLanguages } from './languages.ts';

/** Whole numbers as people with these languages write them (BCP 47, the first that is known counts). */
export function numbersIn(languages: readonly string[]): (count: number) => string {
  const format = new Intl.NumberFormat(knownLanguages(languages), { maximumFractionDigits: 0 });
  return (count) => isolated(format.format(count));
}

/** `1,234` in the language of the person who looks, as the browser knows it. */
export const formatNumber = numbersIn(navigator.languages);

/** `1 run`, `1,234 runs`. `many`: where an `s` alone doesn't make it. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
