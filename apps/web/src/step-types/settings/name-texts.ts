import type { NameEntry } from '@stet/domain/expressions';
import { placeholdersOf } from '@stet/domain/workflows';

/**
 * The name as an expression in a script: `outputs.collect.fields.amount`. An id that isn't a valid identifier is in
 * brackets.
 */
export function inScript({ path }: NameEntry): string {
  const [first = '', ...rest] = path;
  return rest.reduce(
    (text, part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`),
    first,
  );
}

/** The name as a placeholder in a message. */
export function inMessage({ path }: NameEntry): string {
  const [first = '', ...rest] = path;
  return `{{${[first === 'outputs' ? 'output' : first, ...rest].join('.')}}}`;
}

/** The first placeholder in a message that the step can't use, or null. */
export function unknownPlaceholder(
  template: string,
  known: { outputs: Readonly<Record<string, unknown>>; run: Readonly<Record<string, unknown>> },
): string | null {
  const found = placeholdersOf(template, new Set(Object.keys(known.outputs))).find((placeholder) => {
    const [first = ''] = 'path' in placeholder ? placeholder.path : [];
    if (placeholder.kind === 'run') return !Object.hasOwn(known.run, first);
    return placeholder.kind === 'unknown';
  });
  return found?.text ?? null;
}
