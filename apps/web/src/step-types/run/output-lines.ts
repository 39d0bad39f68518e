import type { RunStep } from '@stet/contract';
import { type Evidence, isEvidence, isFileKind } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import { plainText } from '@stet/presentation/plain-text';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `isPerson`: the value is an address, which is shown as a name. `files`: the value consists of their names. */
type OutputLine = { label: string; value: string; isPerson?: true; files?: Evidence[] };

function valueText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return plainText(value);
}

const withUnit = (value: string, unit = ''): string => (value === '' || unit === '' ? value : `${value} ${unit}`);

/** A script's result has no labels, so its property names are shown. */
const entriesOf = (value: Record<string, unknown>): OutputLine[] =>
  Object.entries(value).map(([label, each]) => ({ label, value: valueText(each) }));

/** A step's output, line by line: its form values, and then its text or the other values that a script returned. */
export function outputLines({ output, fields }: Pick<RunStep, 'output' | 'fields'>): OutputLine[] {
  const lines: OutputLine[] = [];
  if (!isRecord(output)) lines.push({ label: '', value: valueText(output) });
  else {
    const values = isRecord(output['fields']) ? output['fields'] : {};
    for (const { id, label, kind, unit } of fields) {
      const value = values[id];
      if (isFileKind(kind) && Array.isArray(value)) {
        const files = value.filter(isEvidence);
        lines.push({ label, value: files.map(({ name }) => isolated(name)).join(', '), files });
      } else
        lines.push({ label, value: withUnit(valueText(value), unit), ...(kind === 'person' && { isPerson: true }) });
    }
    if (typeof output['text'] === 'string') lines.push({ label: '', value: valueText(output['text']) });
    else lines.push(...entriesOf(output).filter(({ label }) => label !== 'fields'));
  }
  return lines.filter(({ value }) => value !== '');
}
