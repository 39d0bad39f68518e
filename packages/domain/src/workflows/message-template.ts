import { isEvidence } from '../steps/index.ts';

/** The values that a notification's text can use; `outputs` are by step id. */
type MessageValues = {
  run: Readonly<Record<string, unknown>>;
  step: { readonly title: string } & Readonly<Record<string, unknown>>;
  outputs: Readonly<Record<string, unknown>>;
};

/** A placeholder of a template and its position; `path` leads into the run, the step or the output. */
type Placeholder = { from: number; to: number; text: string } & (
  | { kind: 'run'; path: string[] }
  | { kind: 'step'; path: string[] }
  | { kind: 'output'; stepId: string; path: string[] }
  | { kind: 'unknown' }
);

/**
 * Returns the placeholders of a template: {{run.name}}, {{step.title}}, {{output.<stepId>}}, and nested values after
 * further dots. An id that contains dots is found if it is one of `stepIds`. Linear in the text.
 */
export function placeholdersOf(template: string, stepIds: ReadonlySet<string>): Placeholder[] {
  return [...template.matchAll(/\{\{([^{}]{1,300})\}\}/g)].map((match): Placeholder => {
    const text = (match[1] ?? '').trim();
    const place = { from: match.index, to: match.index + match[0].length, text };
    const [root, ...path] = text.split('.');
    if ((root === 'run' || root === 'step') && path.length > 0) return { ...place, kind: root, path };
    const output = root === 'output' || root === 'outputs' ? outputOf(path, stepIds) : null;
    return output ? { ...place, kind: 'output', ...output } : { ...place, kind: 'unknown' };
  });
}

function outputOf(parts: readonly string[], stepIds: ReadonlySet<string>): { stepId: string; path: string[] } | null {
  // The longest id comes first: if both `a` and `a.b` exist, the second is meant.
  for (let length = parts.length; length > 0; length -= 1) {
    const stepId = parts.slice(0, length).join('.');
    if (stepIds.has(stepId)) return { stepId, path: parts.slice(length) };
  }
  return null;
}

/**
 * Renders a notification's text. Missing values become empty, such as the output of a step in `stepIds` that has none.
 * An unknown placeholder stays as typed. An output with a `text` is rendered as that text. A list of texts or files is
 * rendered with commas, and any other object or list as JSON. A blank template becomes a default message, which says
 * that the run has reached the step.
 */
export function renderTemplate(
  template: string,
  values: MessageValues,
  stepIds: ReadonlySet<string> = new Set(Object.keys(values.outputs)),
): string {
  if (template.trim() === '') return `The run has reached the step “${values.step.title}”.`;
  let rendered = '';
  let end = 0;
  for (const placeholder of placeholdersOf(template, stepIds)) {
    const { kind, from, to } = placeholder;
    const written = template.slice(from, to);
    rendered += template.slice(end, from) + (kind === 'unknown' ? written : inWords(valueOf(placeholder, values)));
    end = to;
  }
  return rendered + template.slice(end);
}

function valueOf(placeholder: Placeholder, { run, step, outputs }: MessageValues): unknown {
  switch (placeholder.kind) {
    case 'run':
      return valueAt(run, placeholder.path);
    case 'step':
      return valueAt(step, placeholder.path);
    case 'output':
      return valueAt(outputs, [placeholder.stepId, ...placeholder.path]);
    case 'unknown':
      return undefined;
  }
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
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'))
    return value.join(', ');
  if (Array.isArray(value) && value.length > 0 && value.every(isEvidence))
    return value.map(({ name }) => name).join(', ');
  const text = Object.hasOwn(value, 'text') ? (value as { text: unknown }).text : undefined;
  return typeof text === 'string' ? text : JSON.stringify(value);
}
