import { isPersonStep, type Step } from '../../steps/index.ts';
import { nameSteps } from '../name-steps.ts';
import { isControl, setOf, type StepPlaces, stepPlaces, type StepSet } from './step-places.ts';
import { MAX_NAMED, type NamedStep, type NamedSteps } from './finding.ts';

export type Side = 'before' | 'after';

/** Two lists of steps with everything that comparisons of their runs need. */
export type Sides = {
  was: ReadonlyMap<string, Step>;
  now: ReadonlyMap<string, Step>;
  /** The current step that corresponds to this one: the same id, or the only new step with the same type and title. */
  successorOf: (stepId: string) => string | undefined;
  /** The ids of the new side in row order; all sets in `places` refer to this list. */
  ids: readonly string[];
  places: Record<Side, StepPlaces>;
  /** The steps on both sides. */
  common: StepSet;
  /** Steps that are controls on both sides. */
  controls: StepSet;
  /** Steps on both sides that weren't controls before. */
  others: StepSet;
  named: (stepId: string) => NamedStep;
  listed: (stepIds: readonly string[]) => NamedSteps;
  previous: (side: Side, stepId: string) => readonly string[];
  /**
   * The work before each step: the nearest earlier steps that people perform, skipping those that the server executes.
   */
  workBefore: (side: Side, stepId: string) => Set<string>;
};

/** @param places the places of the new side, if they are already known */
export function comparedSides(before: readonly Step[], after: readonly Step[], places?: StepPlaces): Sides {
  const was = new Map(before.map((step) => [step.id, step]));
  const now = new Map(after.map((step) => [step.id, step]));
  let nameOf: (stepId: string) => string = (stepId) => {
    // The names are prepared when a step is named for the first time.
    nameOf = nameSteps([...before, ...after]);
    return nameOf(stepId);
  };
  const named = (stepId: string): NamedStep => ({ stepId, title: nameOf(stepId) });
  const ids = [...now.keys()];
  // A control that only one side has isn't compared here: if it was removed, `approval_removed` or `sign_off_dropped`
  // reports it.
  const isOnBoth = (id: string) => isControlOf(was, id) && isControlOf(now, id);
  const looks = ({ type, title }: Step) => `${type} ${title.trim()}`;
  const added = new Map<string, string | null>();
  for (const step of after) {
    if (!was.has(step.id)) added.set(looks(step), added.has(looks(step)) ? null : step.id);
  }
  const previousOf = { before: previousSteps(before), after: previousSteps(after) };
  const stepsOf = { before: was, after: now };
  const previous: Sides['previous'] = (side, stepId) => previousOf[side].get(stepId) ?? [];
  return {
    was,
    now,
    successorOf: (stepId) => {
      if (now.has(stepId)) return stepId;
      const step = was.get(stepId);
      return (step && added.get(looks(step))) ?? undefined;
    },
    ids,
    places: { before: stepPlaces(before, ids), after: places ?? stepPlaces(after, ids) },
    common: setOf(ids, (id) => was.has(id)),
    controls: setOf(ids, isOnBoth),
    others: setOf(ids, (id) => was.has(id) && !isControlOf(was, id)),
    named,
    listed: (stepIds) => ({
      steps: stepIds.slice(0, MAX_NAMED).map(named),
      more: Math.max(0, stepIds.length - MAX_NAMED),
    }),
    previous,
    workBefore: (side, stepId) => {
      const seen = new Set(previous(side, stepId));
      const work = new Set<string>();
      // Iterating a set also visits the entries added during the loop.
      for (const id of seen) {
        if (isDoneByPeople(stepsOf[side].get(id))) work.add(id);
        else for (const earlier of previous(side, id)) seen.add(earlier);
      }
      return work;
    },
  };
}

function previousSteps(steps: readonly Step[]): Map<string, string[]> {
  const previous = new Map<string, string[]>(steps.map(({ id }) => [id, []]));
  for (const { id, next } of steps) for (const target of new Set(next)) previous.get(target)?.push(id);
  return previous;
}

const isControlOf = (steps: ReadonlyMap<string, Step>, id: string): boolean => {
  const step = steps.get(id);
  return step !== undefined && isControl(step);
};

const isDoneByPeople = (step: Step | undefined): boolean => step !== undefined && isPersonStep(step);
