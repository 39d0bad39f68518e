import type { RunStep } from '@stet/contract';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type OutputLine = { label: string; value: string };

function valueText(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** A step's output, line by line: its form values, its text, and other values that a script returned. */
export function outputLines({ output, fields }: Pick<RunStep, 'output' | 'fields'>): OutputLine[] {
  const lines: OutputLine[] = [];
  if (!isRecord(output)) lines.push({ label: '', value: valueText(output) });
  else {
    const values = isRecord(output['fields']) ? output['fields'] : {};
    for (const { id, label } of fields) lines.push({ label, value: valueText(values[id]) });
    if (typeof output['text'] === 'string') lines.push({ label: '', value: valueText(output['text']) });
    else if (Object.keys(output).length > 0) lines.push({ label: '', value: valueText(output) });
  }
  return lines.filter(({ value }) => value !== '');
}
