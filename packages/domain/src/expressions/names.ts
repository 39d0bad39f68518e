import { parseExpression } from 'feelin';
import { RUN_DEFAULTS } from '../defaults/table.ts';
import { stepsBefore } from '../workflows/branches.ts';
import type { Step } from '../workflows/step.ts';
import type { ExpressionNames } from './check-expression.ts';

/**
 * Something that can be spoken of: `path` from `outputs` or `run` on, `expression` its text in FEEL, `label` what it is in
 * a person's words, `detail` where it comes from, `sample` a value such as it may have.
 */
export type NameEntry = { path: string[]; expression: string; label: string; detail: string; sample: unknown };

const RUN_NAMES = [
  { name: 'name', label: 'Name of the run', sample: 'Sample run' },
  { name: 'description', label: 'Description of the run', sample: '' },
  { name: 'priority', label: 'Priority: low, medium, high or urgent', sample: RUN_DEFAULTS.priority },
  { name: 'workflow', label: 'Key of the workflow', sample: 'sample-workflow' },
  { name: 'version', label: 'Version of the workflow', sample: 1 },
  { name: 'startedBy', label: 'Who started the run', sample: 'Sam Okafor' },
  { name: 'startedByEmail', label: 'Email of who started it', sample: 'sam@example.com' },
  { name: 'startedAt', label: 'When the run was started', sample: '2026-11-18T09:00:00.000Z' },
] as const;

/**
 * What conditions, scripts and templates of a step can speak of (rulings, section 10): the outputs of the steps that come
 * before it, in row order, each with what its type leaves behind, then the run. The outputs of a manual step's form are
 * under `fields`.
 */
export function namesFor(steps: readonly Step[], stepId: string): NameEntry[] {
  const before = stepsBefore(steps, stepId);
  const outputs = before.flatMap((step) => {
    const path = pathOf(step.id);
    return outputsOf(step).map(({ name, label, sample }) => ({
      path: ['outputs', step.id, ...name.split('.')],
      expression: `${path}.${name}`,
      label,
      detail: step.title,
      sample,
    }));
  });
  const run = RUN_NAMES.map(({ name, label, sample }) => ({
    path: ['run', name],
    expression: `run.${name}`,
    label,
    detail: 'run',
    sample,
  }));
  return [...outputs, ...run];
}

/** Sample values under the names of `namesFor`: what an expression is tried against, and what names it is read by. */
export function sampleNames(
  steps: readonly Step[],
  stepId: string,
): ExpressionNames & { outputs: Record<string, unknown>; run: Record<string, unknown> } {
  const outputs = Object.fromEntries(stepsBefore(steps, stepId).map((step) => [step.id, sampleOutput(step)]));
  return namesOfRun(outputs, Object.fromEntries(RUN_NAMES.map(({ name, sample }) => [name, sample])));
}

/** What an expression sees of a run: each output under its step's id, all of them under `outputs`, and `run`. */
export function namesOfRun<Output>(
  outputs: Readonly<Record<string, Output>>,
  run: Readonly<Record<string, unknown>>,
): ExpressionNames & { outputs: Record<string, Output>; run: Record<string, unknown> } {
  // The names of the language's own come last: no step's id can take their place.
  return { ...outputs, outputs: { ...outputs }, run: { ...run } };
}

/** How an expression says the output of a step: by its id where that is a name, else by its text. */
export function pathOf(stepId: string): string {
  return isName(stepId) ? stepId : `get value(outputs, ${JSON.stringify(stepId)})`;
}

/** Words of the language, and the two names that every expression has. */
const RESERVED = new Set(
  'and between else every external false for function if in instance not null of or outputs return run satisfies some then true'.split(
    ' ',
  ),
);

// Hundreds of steps are asked about each time a list of names is made; what the language says of an id stays the same.
const KNOWN_NAMES = new Map<string, boolean>();
const MOST_KNOWN = 5000;

function isName(id: string): boolean {
  const known = KNOWN_NAMES.get(id);
  if (known !== undefined) return known;
  if (KNOWN_NAMES.size >= MOST_KNOWN) KNOWN_NAMES.clear();
  const answer = isNameToFeel(id);
  KNOWN_NAMES.set(id, answer);
  return answer;
}

function isNameToFeel(id: string): boolean {
  if (RESERVED.has(id) || !/^[A-Za-z_][\w-]*$/.test(id)) return false;
  const { topNode } = parseExpression(`${id}.x`, { [id]: { x: 1 } }, undefined);
  const path = topNode.firstChild;
  return (
    path?.name === 'PathExpression' && path.firstChild?.name === 'VariableName' && path.firstChild.to === id.length
  );
}

type Output = { name: string; label: string; sample: unknown };

function outputsOf(step: Step): Output[] {
  switch (step.type) {
    case 'manual': {
      const text = { name: 'text', label: 'What was written', sample: 'Sample text' };
      const fields = step.config.fields ?? [];
      return [
        text,
        ...fields.map((field) => ({
          name: `fields.${field.id}`,
          label: field.label,
          sample: SAMPLES[field.kind](field),
        })),
      ];
    }
    case 'approval':
      return [
        { name: 'approved', label: 'Whether it was approved', sample: true },
        { name: 'text', label: 'Comments', sample: 'Sample comment' },
      ];
    case 'condition':
      return [{ name: 'result', label: 'Whether it held', sample: true }];
    case 'automated':
    case 'notification':
      return [];
  }
}

const SAMPLES = {
  text: () => 'Sample text',
  number: () => 100,
  date: () => '2026-11-18',
  choice: (field: { options?: string[] }) => field.options?.[0] ?? 'Option',
  yes_no: () => true,
  file_link: () => 'https://files.example/sample.pdf',
} as const;

function sampleOutput(step: Step): unknown {
  if (step.type === 'automated') return {};
  if (step.type === 'notification') return null;
  const output: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  for (const { name, sample } of outputsOf(step)) {
    if (name.startsWith('fields.')) fields[name.slice('fields.'.length)] = sample;
    else output[name] = sample;
  }
  return Object.keys(fields).length === 0 ? output : { ...output, fields };
}
