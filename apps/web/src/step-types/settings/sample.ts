import type { BodyInput } from '@stet/contract';
import { type NameEntry, pathOf, sampleNames } from '@stet/domain/expressions';
import type { Step } from '@stet/domain/steps';
import { stepsBefore } from '@stet/domain/workflows';
import { choicesIn, typedChoices } from '../run/typed.ts';

type Trial = BodyInput<'POST /api/workflows/script-trial'>;
type Values = NonNullable<Trial['outputs']>;

/** The sample data for a script or a condition. */
export type Sample = { outputs: Values; run: Values };

/** The sample values that a person has entered, by the path of their name. */
export type TypedSample = Readonly<Record<string, string>>;

export const sampleKey = ({ path }: NameEntry): string => path.join('.');

/** A sample value as the text of its field. */
export const sampleText = ({ sample }: NameEntry): string =>
  typeof sample === 'boolean'
    ? sample
      ? 'yes'
      : 'no'
    : typeof sample === 'object'
      ? typedChoices(sample.map(String))
      : String(sample);

/**
 * The values of earlier scripts that `text` mentions by name. They are found in the text, because the values that a
 * script returns aren't known before it runs.
 */
export function returnedNames(text: string, steps: readonly Step[], stepId: string): NameEntry[] {
  const found = stepsBefore(steps, stepId)
    .filter(({ type }) => type === 'automated')
    .flatMap((step) => {
      const id = step.id.replaceAll(/[^\w-]/g, String.raw`\$&`);
      const mention = new RegExp(`(?:(?<![\\w-])${id}|"${id}"\\s*[\\])])((?:\\.[A-Za-z_]\\w*)+)`, 'g');
      return [...text.matchAll(mention)].map(([, dotted = '']): NameEntry => {
        const parts = dotted.slice(1).split('.');
        return {
          path: ['outputs', step.id, ...parts],
          expression: `${pathOf(step.id)}${dotted}`,
          label: parts.join(' '),
          detail: step.title,
          sample: '',
          kind: 'text',
        };
      });
    });
  return [...new Map(found.map((name) => [sampleKey(name), name])).values()];
}

/**
 * The sample data of a step, with the values in `typed`. An empty text becomes null. A text for a script's value
 * becomes a number or a boolean if it looks like one.
 */
export function sampleOf(
  steps: readonly Step[],
  stepId: string,
  names: readonly NameEntry[],
  typed: TypedSample,
): Sample {
  const sample = structuredClone(sampleNames(steps, stepId)) as { outputs: Values; run: Values };
  for (const name of names) {
    const text = typed[sampleKey(name)];
    if (text !== undefined) setAt(sample, name.path, valueOf(name, text.trim()));
  }
  return { outputs: sample.outputs, run: sample.run };
}

function valueOf({ kind, path, sample }: NameEntry, text: string): string | number | boolean | string[] | null {
  if (text === '') return null;
  if (kind === 'many_of') return choicesIn(text);
  const isReturned = sample === '' && path[0] === 'outputs';
  if (kind === 'yes_no' || (isReturned && /^(yes|no|true|false)$/.test(text))) return text === 'yes' || text === 'true';
  const number = Number(text.replace(',', '.'));
  return (kind === 'number' || isReturned) && Number.isFinite(number) ? number : text;
}

function setAt(target: Record<string, unknown>, [first = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[first] = value;
  else {
    const inner = target[first];
    const next = typeof inner === 'object' && inner !== null ? { ...inner } : {};
    target[first] = next;
    setAt(next, rest, value);
  }
}
