import { pathOf } from '@stet/domain/expressions';
import type { FieldKind } from '@stet/domain/steps';
import {
  type Comparison,
  type Literal,
  type Operator,
  type ValueNames,
  type ValuePath,
  isComparison,
  readCondition,
} from './condition-tree.ts';

/** A comparison of one value with a literal. */
export type Pick = { path: ValuePath; operator: Operator; value: Literal };
/** `text` is the pick's part of the expression. */
export type PickedCondition = { join: 'and' | 'or'; picks: readonly (Pick & { text: string })[] };

const IS = ['=', '!='] as const;
const ORDER = ['>', '>=', '<', '<='] as const;
const TEXT = [...IS, 'contains', 'starts with', 'ends with'] as const;

/** The operators that make sense for a kind of value. */
export const OPERATORS_OF = {
  text: TEXT,
  long_text: TEXT,
  file_link: TEXT,
  number: [...IS, ...ORDER],
  date: [...IS, ...ORDER],
  choice: IS,
  many_of: ['list contains'],
  yes_no: ['='],
  person: IS,
  file: [],
  photo: [],
} as const satisfies Record<FieldKind, readonly Operator[]>;

/** Returns an expression as a chain of picks. Null if picks can't express all of it. */
export function pickedCondition(expression: string, names: ValueNames): PickedCondition | null {
  const tree = readCondition(expression, names);
  if (tree === null) return null;
  const parts = tree.kind === 'and' || tree.kind === 'or' ? tree.parts : [tree];
  const picks = parts.flatMap((part) => (part.kind === 'comparison' ? pickOf(part.comparison) : []));
  return picks.length === parts.length ? { join: tree.kind === 'or' ? 'or' : 'and', picks } : null;
}

function pickOf({ tested, operator, to, text }: Comparison): (Pick & { text: string })[] {
  if (!('value' in to) || tested.as !== undefined) return [];
  // `!= true` is shown as `= false`.
  const isNegated = operator === '!=' && typeof to.value === 'boolean';
  const [shown, value] = isNegated ? (['=', !to.value] as const) : [operator, to.value];
  return [{ path: tested.path, operator: shown, value, text }];
}

/** Returns the expression of one pick. `pickedCondition` reads it back as the same pick. */
export function pickExpression({ path: { stepId, parts }, operator, value }: Pick): string {
  const path = `${stepId === null ? 'run' : pathOf(stepId)}.${parts.join('.')}`;
  const literal = typeof value === 'number' ? plainNumber(value) : JSON.stringify(value);
  return isComparison(operator) ? `${path} ${operator} ${literal}` : `${operator}(${path}, ${literal})`;
}

/** The number without an exponent, because FEEL has none. */
export function plainNumber(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Number.isInteger(value) ? String(BigInt(value)) : value.toFixed(20).replace(/\.?0+$/, '');
}
