import { parseExpression } from 'feelin';
import { RUN_DEFAULTS, RUN_PRIORITIES } from '../defaults/table.ts';
import { type OutputName, type Step, kindOf } from '../steps/index.ts';
import { stepsBefore } from '../workflows/graph.ts';
import { RESERVED_NAMES } from '../workflows/step-ids.ts';
import type { ExpressionNames } from './check-expression.ts';

/**
 * A name that expressions can use. `path` begins at `outputs` or `run`, `expression` is FEEL, `label` is for people,
 * and `detail` says where the value comes from. `sample` is an example value.
 */
export type NameEntry = { path: string[]; expression: string; detail: string } & Omit<OutputName, 'name'>;

const RUN_NAMES = [
  { name: 'name', label: 'Name of the run', sample: 'Sample run', kind: 'text' },
  { name: 'description', label: 'Description of the run', sample: '', kind: 'text' },
  { name: 'priority', label: 'Priority', sample: RUN_DEFAULTS.priority, kind: 'choice', options: RUN_PRIORITIES },
  { name: 'workflow', label: 'Key of the workflow', sample: 'sample-workflow', kind: 'text' },
  { name: 'version', label: 'Version of the workflow', sample: 1, kind: 'number' },
  { name: 'startedBy', label: 'Name of the person who started the run', sample: 'Sam Okafor', kind: 'text' },
  { name: 'startedByEmail', label: 'Email of the person who started the run', sample: 'sam@example.com', kind: 'text' },
  { name: 'startedAt', label: 'When the run was started', sample: '2026-11-18T09:00:00.000Z', kind: 'text' },
] as const satisfies readonly OutputName[];

/**
 * Returns the names that a step's conditions, scripts and templates can use: the outputs of the steps before it, in row
 * order, then the values of the run. A step's type determines its outputs. A manual step's outputs contain the values
 * of its form under `fields`.
 */
export function namesFor(steps: readonly Step[], stepId: string): NameEntry[] {
  const before = stepsBefore(steps, stepId);
  const outputs = before.flatMap((step) => {
    const path = pathOf(step.id);
    return (kindOf(step.type).outputs(step.config) ?? []).map(({ name, ...output }) => ({
      ...output,
      path: ['outputs', step.id, ...name.split('.')],
      expression: `${path}.${name}`,
      detail: step.title,
    }));
  });
  const run = RUN_NAMES.map(({ name, ...value }) => ({
    ...value,
    path: ['run', name],
    expression: `run.${name}`,
    detail: 'run',
  }));
  return [...outputs, ...run];
}

/** Returns sample values under the names of `namesFor`, for parsing and trying an expression. */
export function sampleNames(
  steps: readonly Step[],
  stepId: string,
): ExpressionNames & { outputs: Record<string, unknown>; run: Record<string, unknown> } {
  const outputs = Object.fromEntries(stepsBefore(steps, stepId).map((step) => [step.id, sampleOutput(step)]));
  return namesOfRun(outputs, Object.fromEntries(RUN_NAMES.map(({ name, sample }) => [name, sample])));
}

/**
 * Returns the names that an expression can use in a run: each output under its step's id, all of them under `outputs`,
 * and `run`.
 */
export function namesOfRun<Output>(
  outputs: Readonly<Record<string, Output>>,
  run: Readonly<Record<string, unknown>>,
): ExpressionNames & { outputs: Record<string, Output>; run: Record<string, unknown> } {
  // The built-in names come last, so that a step's id can't replace them.
  return { ...outputs, outputs: { ...outputs }, run: { ...run } };
}

/** Returns the expression for a step's output: the id itself if it is a valid name, otherwise a quoted key. */
export function pathOf(stepId: string): string {
  return isName(stepId) ? stepId : `get value(outputs, ${JSON.stringify(stepId)})`;
}

// Cached, because every list of names checks hundreds of step ids, and the result for an id never changes.
const KNOWN_NAMES = new Map<string, boolean>();
const MAX_KNOWN = 5000;

function isName(id: string): boolean {
  const known = KNOWN_NAMES.get(id);
  if (known !== undefined) return known;
  if (KNOWN_NAMES.size >= MAX_KNOWN) KNOWN_NAMES.clear();
  const answer = isFeelName(id);
  KNOWN_NAMES.set(id, answer);
  return answer;
}

function isFeelName(id: string): boolean {
  if (RESERVED_NAMES.has(id) || !/^[A-Za-z_][\w-]*$/.test(id)) return false;
  const { topNode } = parseExpression(`${id}.x`, { [id]: { x: 1 } }, undefined);
  const path = topNode.firstChild;
  return (
    path?.name === 'PathExpression' && path.firstChild?.name === 'VariableName' && path.firstChild.to === id.length
  );
}

function sampleOutput({ type, config }: Step): unknown {
  const outputs = kindOf(type).outputs(config);
  if (outputs === null) return null;
  const output: Record<string, unknown> = {};
  const fields: Record<string, unknown> = {};
  for (const { name, sample } of outputs) {
    if (name.startsWith('fields.')) fields[name.slice('fields.'.length)] = sample;
    else output[name] = sample;
  }
  return Object.keys(fields).length === 0 ? output : { ...output, fields };
}
