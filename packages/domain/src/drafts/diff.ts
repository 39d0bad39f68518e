import { sameJson } from '../workflows/canonical-json.ts';
import type { Step, WorkflowContent, WorkflowMetadata } from '../workflows/step.ts';
import { followsOrder, inDocumentOrder, movedIds } from './steps-order.ts';

/** The fields of a step that a diff compares, in the order that it names them (rulings, section 10). */
const STEP_FIELDS = ['title', 'description', 'assignee', 'sla', 'type', 'config', 'next'] as const;
export type StepField = (typeof STEP_FIELDS)[number];

export type Change<Value = unknown> = { before: Value; after: Value };

/** What changed in a step; `position` is its place in the list, from 1, and stands only for a step that was moved. */
type StepChanges = Partial<Record<StepField, Change>> & { position?: Change<number> };

type StepDiffEntry =
  | { id: string; type: 'added'; value: Step }
  | { id: string; type: 'removed'; value: Step }
  | { id: string; type: 'modified'; changes: StepChanges };

export type DiffSummary = { added: string[]; removed: string[]; modified: string[] };

/** Step ids by kind, and the entries in document order; unchanged steps are in neither (specification, section 3). */
type StepsDiff = { summary: DiffSummary; detailed: StepDiffEntry[] };

type MetadataChanges = { [Field in keyof WorkflowMetadata]?: Change<string> };

type ContentDiff = StepsDiff & { metadata: MetadataChanges };

/**
 * What changed from one list of steps to another, by step id.
 *
 * A step that was moved is modified, with the field `position`; those it was moved past are not. A `next` that only
 * follows the order of the list in both is no change of its own: the added, removed or moved step says it. So two lists
 * have an empty diff exactly when they are the same. O(n log n) in steps.
 */
export function diffSteps(before: readonly Step[], after: readonly Step[]): StepsDiff {
  const compare = stepComparison(before, after);
  const detailed = inDocumentOrder(before, after).flatMap(({ id }) => compare(id));
  const idsOf = (type: StepDiffEntry['type']) => detailed.filter((entry) => entry.type === type).map(({ id }) => id);
  return { summary: { added: idsOf('added'), removed: idsOf('removed'), modified: idsOf('modified') }, detailed };
}

/** As `diffSteps`, with the changes of title and description; `before` is null where nothing was merged yet. */
export function diffContent(before: WorkflowContent | null, after: WorkflowContent): ContentDiff {
  const old = before ?? { metadata: { title: '', description: '' }, steps: [] };
  return { metadata: diffMetadata(old.metadata, after.metadata), ...diffSteps(old.steps, after.steps) };
}

/** True when a diff has nothing to show. */
export function isUnchanged(diff: ContentDiff): boolean {
  return diff.detailed.length === 0 && Object.keys(diff.metadata).length === 0;
}

function diffMetadata(before: WorkflowMetadata, after: WorkflowMetadata): MetadataChanges {
  const changes: MetadataChanges = {};
  for (const field of ['title', 'description'] as const) {
    if (before[field] !== after[field]) changes[field] = { before: before[field], after: after[field] };
  }
  return changes;
}

function stepComparison(before: readonly Step[], after: readonly Step[]): (id: string) => StepDiffEntry[] {
  const old = placesById(before);
  const now = placesById(after);
  const moved = movedIds(before, after);
  const followedOrder = followsOrder(before);
  const followsOrderNow = followsOrder(after);
  return (id) => {
    const was = old.get(id);
    const is = now.get(id);
    if (was === undefined) return is === undefined ? [] : [{ id, type: 'added', value: is.step }];
    if (is === undefined) return [{ id, type: 'removed', value: was.step }];
    const changes: StepChanges = {};
    for (const field of STEP_FIELDS) {
      if (field === 'next' && followedOrder.has(id) && followsOrderNow.has(id)) continue;
      if (!sameJson(was.step[field], is.step[field]))
        changes[field] = { before: was.step[field], after: is.step[field] };
    }
    if (moved.has(id)) changes.position = { before: was.place, after: is.place };
    return Object.keys(changes).length === 0 ? [] : [{ id, type: 'modified', changes }];
  };
}

function placesById(steps: readonly Step[]): Map<string, { step: Step; place: number }> {
  return new Map(steps.map((step, index) => [step.id, { step, place: index + 1 }]));
}
