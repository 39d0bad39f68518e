import type { Json } from '@stet/domain/runs';
import type { SandboxInput } from '../../../kernel/sandbox.ts';

const LONGEST = 20_000;

/**
 * The text of a notification's template (rulings, section 6): `{{run.name}}`, `{{step.title}}`, `{{output.<stepId>}}` and
 * what lies below them by further dots. What is not there is left empty. A template that is blank says that the run got here.
 */
export function messageText(template: string, seen: SandboxInput): string {
  if (template.trim() === '') return `The run has come to the step “${textOf(seen.step['title'])}”.`;
  return template
    .replaceAll(/\{\{([^{}]{1,300})\}\}/g, (_, path: string) => valueAt(path.trim(), seen))
    .slice(0, LONGEST);
}

function valueAt(path: string, { run, step, outputs }: SandboxInput): string {
  const [root = '', ...names] = path.split('.');
  if (root === 'run') return textOf(below(run, names));
  if (root === 'step') return textOf(below(step, names));
  if (root !== 'output' && root !== 'outputs') return '';
  // An id may have dots itself: the longest that there is counts.
  for (let length = names.length; length > 0; length--) {
    const id = names.slice(0, length).join('.');
    if (Object.hasOwn(outputs, id)) return textOf(below(outputs[id], names.slice(length)));
  }
  return '';
}

function below(value: Json | undefined, names: readonly string[]): Json | undefined {
  let at = value;
  for (const name of names) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as { [name: string]: Json })[name];
  }
  return at;
}

/** A value as a person reads it: of an output that has a text, that text. */
function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (!Array.isArray(value) && 'text' in value && typeof value['text'] === 'string') return value['text'];
  return JSON.stringify(value);
}
