import { sameJson } from '../workflows/canonical-json.ts';
import { type Step, branchTaken, isBranching } from '../steps/index.ts';
import {
  EMPTY_CONTENT,
  METADATA_FIELDS,
  type WorkflowContent,
  type WorkflowMetadata,
  metadataValue,
} from '../workflows/content.ts';
import { followsOrder, inDocumentOrder, movedIds } from './steps-order.ts';

/** The compared fields of a step, in output order: all that are stored, so no change is hidden. */
const COMPARED = {
  title: true,
  description: true,
  assignee: true,
  sla: true,
  type: true,
  config: true,
  next: true,
} as const satisfies Record<Exclude<keyof Step, 'id'>, true>;
export type StepField = keyof typeof COMPARED;
const STEP_FIELDS = Object.keys(COMPARED) as StepField[];

export type Change<Value = unknown> = { before: Value; after: Value };

/**
 * A step's changes. `position` is its place in the list, counted from 1, for moved steps only. `previous` contains the
 * ids of its predecessors, in row order. `onTrue` and `onFalse` contain the ids of the steps that follow each result of
 * a condition. If only one branch is set, the other has the remaining steps, so setting one can change both.
 */
type StepChanges = Partial<Record<StepField, Change>> & {
  position?: Change<number>;
  previous?: Change<string[]>;
  onTrue?: Change<string[]>;
  onFalse?: Change<string[]>;
};

type StepDiffEntry =
  | { id: string; type: 'added'; value: Step; previous: string[] }
  | { id: string; type: 'removed'; value: Step; previous: string[] }
  | { id: string; type: 'modified'; changes: StepChanges };

export type DiffSummary = { added: string[]; removed: string[]; modified: string[] };

/** Step ids by kind, and the entries in document order; unchanged steps are in neither (specification, section 3). */
type StepsDiff = { summary: DiffSummary; detailed: StepDiffEntry[] };

type MetadataChanges = { [Field in keyof WorkflowMetadata]?: Change<string> };

type ContentDiff = StepsDiff & { metadata: MetadataChanges };

/**
 * Returns the changes from one list of steps to another, by step id.
 *
 * A moved step is modified, with the field `position`; the steps that it passed are not. A `next` that only follows the
 * list order on both sides is not a separate change: the step that was added, removed or moved in between reports it.
 * Any other added or removed link is a change to its source (`next`) and to its old or new target (`previous`), except
 * that a target doesn't report a link from the row above that replaces the one from the former row above. Two lists
 * have an empty diff if and only if they are equal. O(n log n) in steps.
 */
export function diffSteps(before: readonly Step[], after: readonly Step[]): StepsDiff {
  const compare = stepComparison(before, after);
  const detailed = inDocumentOrder(before, after).flatMap(({ id }) => compare(id));
  const idsOf = (type: StepDiffEntry['type']) => detailed.filter((entry) => entry.type === type).map(({ id }) => id);
  return { summary: { added: idsOf('added'), removed: idsOf('removed'), modified: idsOf('modified') }, detailed };
}

/** Like `diffSteps`, but also compares title and description; `before` is null if nothing was merged yet. */
export function diffContent(before: WorkflowContent | null, after: WorkflowContent): ContentDiff {
  const old = before ?? EMPTY_CONTENT;
  return { metadata: diffMetadata(old.metadata, after.metadata), ...diffSteps(old.steps, after.steps) };
}

/** True if a diff has nothing to show. */
export function isUnchanged(diff: ContentDiff): boolean {
  return diff.detailed.length === 0 && Object.keys(diff.metadata).length === 0;
}

function diffMetadata(before: WorkflowMetadata, after: WorkflowMetadata): MetadataChanges {
  const changes: MetadataChanges = {};
  for (const field of METADATA_FIELDS) {
    const [was, is] = [metadataValue(before, field), metadataValue(after, field)];
    if (was !== is) changes[field] = { before: was, after: is };
  }
  return changes;
}

function stepComparison(before: readonly Step[], after: readonly Step[]): (id: string) => StepDiffEntry[] {
  const old = placesById(before);
  const now = placesById(after);
  const moved = movedIds(before, after);
  const [linksBefore, linksAfter] = [linksOf(before), linksOf(after)];
  const isPlain = (id: string): boolean => linksBefore.followsOrder.has(id) && linksAfter.followsOrder.has(id);
  /**
   * True if the links to a step differ only in the one from the row above, which exists on both sides unless the step
   * is the first row.
   */
  const isInOrder = (id: string): boolean => {
    const [was, is] = [linksBefore.fromRowAbove(id), linksAfter.fromRowAbove(id)];
    if (was === undefined || is === undefined) return false;
    const [others, othersNow] = [without(linksBefore.previous(id), was), without(linksAfter.previous(id), is)];
    return (
      others.every((from) => linksAfter.previous(id).includes(from)) &&
      othersNow.every((from) => linksBefore.previous(id).includes(from))
    );
  };
  return (id) => {
    const was = old.get(id);
    const is = now.get(id);
    const previous = { before: linksBefore.previous(id), after: linksAfter.previous(id) };
    if (was === undefined)
      return is === undefined ? [] : [{ id, type: 'added', value: is.step, previous: previous.after }];
    if (is === undefined) return [{ id, type: 'removed', value: was.step, previous: previous.before }];
    const changes: StepChanges = {};
    const isMoved = moved.has(id);
    for (const field of STEP_FIELDS) {
      if (field === 'next' && isPlain(id) && !isMoved) continue;
      if (!sameJson(was.step[field], is.step[field]))
        changes[field] = { before: was.step[field], after: is.step[field] };
    }
    if (changes.type || changes.config || changes.next) Object.assign(changes, branchChanges(was.step, is.step));
    if ((isMoved || !isInOrder(id)) && !sameJson(previous.before, previous.after)) changes.previous = previous;
    if (isMoved) changes.position = { before: was.place, after: is.place };
    return Object.keys(changes).length === 0 ? [] : [{ id, type: 'modified', changes }];
  };
}

function branchChanges(was: Step, is: Step): Pick<StepChanges, 'onTrue' | 'onFalse'> {
  if (!isBranching(was) && !isBranching(is)) return {};
  const followers = (step: Step, result: boolean) => (isBranching(step) ? branchTaken(step, result) : step.next);
  const change = (result: boolean) => ({ before: followers(was, result), after: followers(is, result) });
  const [onTrue, onFalse] = [change(true), change(false)];
  return {
    ...(!sameJson(onTrue.before, onTrue.after) && { onTrue }),
    ...(!sameJson(onFalse.before, onFalse.after) && { onFalse }),
  };
}

const without = (ids: readonly string[], id: string | null): string[] => ids.filter((each) => each !== id);

function linksOf(steps: readonly Step[]) {
  const previous = new Map<string, string[]>();
  for (const { id, next } of steps) {
    for (const target of new Set(next)) {
      const ids = previous.get(target);
      if (ids) ids.push(id);
      else previous.set(target, [id]);
    }
  }
  const above = new Map(steps.map(({ id }, index) => [id, steps[index - 1]]));
  return {
    followsOrder: followsOrder(steps),
    previous: (id: string): string[] => previous.get(id) ?? [],
    /** The row above if it leads here; null for the first row; undefined if the row above doesn't lead here. */
    fromRowAbove: (id: string): string | null | undefined => {
      const row = above.get(id);
      if (row === undefined) return null;
      return row.next.includes(id) ? row.id : undefined;
    },
  };
}

function placesById(steps: readonly Step[]): Map<string, { step: Step; place: number }> {
  return new Map(steps.map((step, index) => [step.id, { step, place: index + 1 }]));
}
