import { it } from 'vitest';
import { environment } from '../kernel/config.ts';
import { expectWritten } from './written-docs.ts';

function defaultOf(schema: (typeof environment.shape)[keyof typeof environment.shape]): string {
  const unset: unknown = schema.meta()?.['unset'];
  if (typeof unset === 'string') return unset;
  const outcome = schema.safeParse(undefined);
  const value = outcome.success ? outcome.data : undefined;
  if (value === undefined) return 'off';
  if (typeof value === 'object' && !Array.isArray(value))
    throw new Error('this default must be described with `unset`');
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return text === '' ? 'none' : `\`${text}\``;
}

it('every setting has a description in its schema, and the operations page contains the same text', () => {
  const rows = Object.entries(environment.shape).map(([name, schema]) => {
    const description = schema.meta()?.description;
    if (!description) throw new Error(`${name} has no description`);
    return `| \`${name}\` | ${defaultOf(schema)} | ${description} |`;
  });
  expectWritten('configuration', ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n'));
});
