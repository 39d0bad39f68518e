import type { NameEntry } from '@stet/domain/expressions';

/** How a script says what the name stands for: `outputs.collect.fields.amount`, brackets where an id is no name. */
export function inScript({ path }: NameEntry): string {
  const [first = '', ...rest] = path;
  return rest.reduce(
    (text, part) => (/^[A-Za-z_$][\w$]*$/.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`),
    first,
  );
}

/** How a message says it; null for what messages can't speak of. */
export function inMessage({ path }: NameEntry): string | null {
  const [first, ...rest] = path;
  if (first === 'outputs') return `{{output.${rest.join('.')}}}`;
  return path.join('.') === 'run.name' ? '{{run.name}}' : null;
}
