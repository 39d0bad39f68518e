import type { InputField } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';

/** Returns the limits of a number field in words, for example 'From 0 to 500 EUR'; empty if it has none. */
export function limitWords({ min, max, unit }: Pick<InputField, 'min' | 'max' | 'unit'>): string {
  const measured = (number: number | undefined) => (unit ? `${number} ${visibleText(unit)}` : String(number));
  if (min !== undefined && max !== undefined) return `From ${min} to ${measured(max)}`;
  if (min !== undefined) return `At least ${measured(min)}`;
  return max === undefined ? '' : `At most ${measured(max)}`;
}
