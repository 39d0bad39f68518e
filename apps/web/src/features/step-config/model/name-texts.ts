import type { NameEntry } from '@stet/domain/expressions';
import { placeholdersOf } from '@stet/domain/workflows';

/** How a script says what the name stands for: `outputs.collect.fields.amount`, brackets where an id is no name. */
export function inScript({ path }: NameEntry): string {
  const [first = '', ...rest] = path;
  return rest.reduce(
    (text, part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`),
    first,
  );
}

/** How a message says it. */
export function inMessage({ path }: NameEntry): string {
  const [first = '', ...rest] = path;
  return `{{${[first === 'outputs' ? 'output' : first, ...rest].join('.')}}}`;
}

/** The first placeholder of a message that names nothing known before the step; null where there is none. */
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
