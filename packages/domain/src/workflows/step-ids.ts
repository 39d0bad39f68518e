import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from './content.ts';
import { NEW_STEP } from './editor-rows.ts';
import { keyFromTitle } from './workflow-key.ts';

/** Step ids by the provisional ids that they replace. */
export type StepIds = ReadonlyMap<string, string>;

const PROVISIONAL = /^new-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Keywords of FEEL, and the two names that always exist. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  'and between else every external false for function if in instance not null of or outputs return run satisfies some then true'.split(
    ' ',
  ),
);
/** Longer ids would make expressions hard to read. */
const MAX_LENGTH = 40;

/** Returns the id of a new step until it is saved for the first time. `unique` is a UUID. */
export const provisionalStepId = (unique: string): string => `new-${unique}`;

/** True for an id that the step only has until it is saved for the first time. */
export const isProvisional = (stepId: string): boolean => PROVISIONAL.test(stepId);

/**
 * Returns the final ids of the steps with provisional ids: `check-stock` for 'Check stock', and `check-stock-2` if the
 * workflow has or had that id. A step without its own title has the id `step-{n}` (specification, section 3), as does
 * one whose title has no Latin letters or digits. Each id can be used in expressions without quotes.
 * @param used the ids that the workflow's saved versions and drafts use
 */
export function finalStepIds(steps: readonly Step[], used: Iterable<string>): StepIds {
  const taken = new Set([...used, ...steps.map(({ id }) => id)]);
  const ids = new Map<string, string>();
  steps.forEach(({ id, title }, row) => {
    if (!isProvisional(id)) return;
    const final = freeId(title, row, taken);
    taken.add(final);
    ids.set(id, final);
  });
  return ids;
}

/**
 * Returns the final ids of the new steps with a title of their own. They can be used before the first save, so that
 * expressions and messages show readable ids.
 * @param used the ids that the workflow's saved versions and drafts use
 */
export function titledStepIds(steps: readonly Step[], used: Iterable<string>): StepIds {
  const titled = new Set(steps.filter(({ title }) => hasOwnTitle(title)).map(({ id }) => id));
  return new Map([...finalStepIds(steps, used)].filter(([id]) => titled.has(id)));
}

/**
 * Returns functions that replace the ids in a step or a content, wherever a step names one. Unaffected steps stay the
 * same objects.
 */
export function stepIdReplacer(ids: StepIds): {
  step: (step: Step) => Step;
  content: (content: WorkflowContent) => WorkflowContent;
} {
  // The values of an undo history share most of their steps.
  const replaced = new WeakMap<Step, Step>();
  const stepOf = (step: Step): Step => {
    const known = replaced.get(step);
    if (known) return known;
    const written = JSON.stringify(step);
    const named = withIds(written, ids);
    const result = named === written ? step : (JSON.parse(named) as Step);
    replaced.set(step, result);
    return result;
  };
  return {
    step: stepOf,
    content: (content) => {
      const steps = content.steps.map(stepOf);
      return steps.every((step, row) => step === content.steps[row]) ? content : { ...content, steps };
    },
  };
}

function freeId(title: string, row: number, taken: ReadonlySet<string>): string {
  const slug = hasOwnTitle(title) ? slugOf(title) : null;
  if (slug === null) {
    let number = row + 1;
    while (taken.has(`step-${number}`)) number += 1;
    return `step-${number}`;
  }
  let id = slug;
  for (let number = 2; taken.has(id); number += 1) id = `${slug}-${number}`;
  return id;
}

const hasOwnTitle = (title: string): boolean => !['', NEW_STEP.step].includes(title.trim());

function slugOf(title: string): string | null {
  const key = keyFromTitle(title);
  if (key === null) return null;
  const whole =
    key.length <= MAX_LENGTH
      ? key
      : key
          .slice(0, MAX_LENGTH + 1)
          .replace(/-[^-]*$/, '')
          .slice(0, MAX_LENGTH);
  return /^[a-z]/.test(whole) && !RESERVED_NAMES.has(whole) ? whole : `step-${whole}`;
}

const WRITTEN =
  /get value\(\s*outputs\s*,\s*\\"(new-[0-9a-f-]{36})\\"\s*\)|new-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces the ids in a step's JSON. A quoted id in an expression becomes a plain name. */
const withIds = (json: string, ids: StepIds): string =>
  json.replaceAll(WRITTEN, (found, quoted: string | undefined) => ids.get(quoted ?? found) ?? found);
