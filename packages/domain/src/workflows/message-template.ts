/** What a notification's text can speak of; `outputs` by step id. */
export type MessageValues = {
  run: { readonly name: string };
  step: { readonly title: string };
  outputs: Readonly<Record<string, unknown>>;
};

/** A placeholder of a template with its place; `stepId` and `path` where it names an output. */
export type Placeholder = { from: number; to: number; text: string } & (
  | { kind: 'run_name' }
  | { kind: 'step_title' }
  | { kind: 'output'; stepId: string; path: string[] }
  | { kind: 'unknown' }
);

/**
 * The placeholders of a template (rulings, section 6): {{run.name}}, {{step.title}}, {{output.<stepId>}}, and behind the id
 * a path into the output. An id with dots in it is found where it is one of `stepIds`. Linear in the text.
 */
export function placeholdersOf(template: string, stepIds: ReadonlySet<string>): Placeholder[] {
  return [...template.matchAll(/\{\{([^{}]{1,300})\}\}/g)].map((match): Placeholder => {
    const text = (match[1] ?? '').trim();
    const place = { from: match.index, to: match.index + match[0].length, text };
    if (text === 'run.name') return { ...place, kind: 'run_name' };
    if (text === 'step.title') return { ...place, kind: 'step_title' };
    const output = text.startsWith('output.') ? outputOf(text.slice('output.'.length), stepIds) : null;
    return output ? { ...place, kind: 'output', ...output } : { ...place, kind: 'unknown' };
  });
}

function outputOf(text: string, stepIds: ReadonlySet<string>): { stepId: string; path: string[] } | null {
  const parts = text.split('.');
  // The longest id first: of `a` and `a.b` the second is meant where both are there.
  for (let length = parts.length; length > 0; length -= 1) {
    const stepId = parts.slice(0, length).join('.');
    if (stepIds.has(stepId)) return { stepId, path: parts.slice(length) };
  }
  return null;
}

/**
 * The text of a notification. An output that isn't there yet is an empty text; a placeholder that nobody knows stays as it
 * was written. Outputs with a `text` are that text, other objects and lists are JSON.
 */
export function renderTemplate(
  template: string,
  { run, step, outputs }: MessageValues,
  stepIds = new Set(Object.keys(outputs)),
): string {
  let rendered = '';
  let end = 0;
  for (const placeholder of placeholdersOf(template, stepIds)) {
    rendered += template.slice(end, placeholder.from);
    if (placeholder.kind === 'run_name') rendered += run.name;
    else if (placeholder.kind === 'step_title') rendered += step.title;
    else if (placeholder.kind === 'output')
      rendered += inWords(valueAt(outputs, [placeholder.stepId, ...placeholder.path]));
    else rendered += template.slice(placeholder.from, placeholder.to);
    end = placeholder.to;
  }
  return rendered + template.slice(end);
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function inWords(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value !== 'object') return JSON.stringify(value) ?? '';
  const text = Object.hasOwn(value, 'text') ? (value as { text: unknown }).text : undefined;
  return typeof text === 'string' ? text : JSON.stringify(value);
}
