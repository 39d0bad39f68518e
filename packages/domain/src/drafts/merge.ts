import { sameJson } from '../workflows/canonical-json.ts';
import type { Step } from '../steps/index.ts';
import {
  EMPTY_CONTENT,
  METADATA_FIELDS,
  type MetadataField,
  type WorkflowContent,
  metadataValue,
  withMetadataValue,
} from '../workflows/content.ts';
import type { StepField } from './diff.ts';
import { mergeOrder } from './merge-order.ts';
import { followsOrder } from './steps-order.ts';

/**
 * Something that the two sides changed differently. For a step, `field` is the name of its property. It is `step` if
 * one side changed the step and the other removed it; the value of the side that removed it is null. For `order`, the
 * values are step ids.
 */
export type MergeConflict =
  | { on: 'metadata'; field: MetadataField; base: string; live: string; draft: string }
  | { on: 'order'; field: 'order'; base: string[]; live: string[]; draft: string[] }
  | { on: 'step'; stepId: string; field: StepField | 'step'; base: unknown; live: unknown; draft: unknown };

type MergedContent = { content: WorkflowContent; conflicts: MergeConflict[] };

/**
 * Performs a three-way merge by step id and field. A change on one side applies, as does the same change on both.
 * Different changes are a conflict: the content keeps the draft's value for now, or the changed step if the other side
 * removed it.
 *
 * A `next` that only follows the list order follows the merged order. A `next` that names steps removed by the other
 * side is a conflict, and these steps are dropped from it. Type and config belong together and always come from the
 * same side. The merged graph is not checked here. Steps must have unique ids.
 * @param base the version on which the draft is based; null if there was none
 */
export function mergeContent(
  base: WorkflowContent | null,
  live: WorkflowContent,
  draft: WorkflowContent,
): MergedContent {
  const root = base ?? EMPTY_CONTENT;
  const conflicts: MergeConflict[] = [];
  let metadata = draft.metadata;
  for (const field of METADATA_FIELDS) {
    const values = {
      base: metadataValue(root.metadata, field),
      live: metadataValue(live.metadata, field),
      draft: metadataValue(draft.metadata, field),
    };
    const merged = mergeValue(values);
    // A missing field stays missing unless its value changes, because the content hash covers it.
    if (merged.value !== values.draft) metadata = withMetadataValue(metadata, field, merged.value);
    if (merged.conflict) conflicts.push({ on: 'metadata', field, ...values });
  }

  const steps = new Map<string, Mergeable>();
  const sides = { base: mergeables(root), live: mergeables(live), draft: mergeables(draft) };
  for (const id of new Set([...sides.live.keys(), ...sides.draft.keys()])) {
    const merged = mergeStep(
      id,
      { base: sides.base.get(id), live: sides.live.get(id), draft: sides.draft.get(id) },
      conflicts,
    );
    if (merged !== null) steps.set(id, merged);
  }

  const order = mergeOrder(idsOf(root), idsOf(live), idsOf(draft), new Set(steps.keys()));
  if (order.conflict !== null) conflicts.push({ on: 'order', field: 'order', ...order.conflict });
  const linked = link(order.ids, steps, sides, conflicts);
  return { content: { metadata, steps: linked }, conflicts };
}

/** A step; `next` is null if it only follows the list order. */
type Mergeable = { step: Step; next: string[] | null };
type Sides<Value> = { base: Value; live: Value; draft: Value };

function mergeables(content: WorkflowContent): Map<string, Mergeable> {
  const following = followsOrder(content.steps);
  return new Map(content.steps.map((step) => [step.id, { step, next: following.has(step.id) ? null : step.next }]));
}

function idsOf(content: WorkflowContent): string[] {
  return content.steps.map(({ id }) => id);
}

function mergeStep(id: string, sides: Sides<Mergeable | undefined>, conflicts: MergeConflict[]): Mergeable | null {
  const { base, live, draft } = sides;
  if (live !== undefined && draft !== undefined) return mergeFields(id, { base, live, draft }, conflicts);
  const remaining = live ?? draft;
  if (remaining === undefined) return null;
  if (base === undefined) return remaining;
  if (sameJson(comparable(base), comparable(remaining))) return null;
  conflicts.push({
    on: 'step',
    stepId: id,
    field: 'step',
    base: base.step,
    live: live?.step ?? null,
    draft: draft?.step ?? null,
  });
  return remaining;
}

function comparable({ step, next }: Mergeable): unknown {
  return { ...step, next };
}

type TwoSided = { base: Mergeable | undefined; live: Mergeable; draft: Mergeable };

function mergeFields(id: string, sides: TwoSided, conflicts: MergeConflict[]): Mergeable {
  const pick = <Value>(read: (side: Mergeable) => Value) =>
    mergeValue<Value | undefined>({
      base: sides.base && read(sides.base),
      live: read(sides.live),
      draft: read(sides.draft),
    });
  const report = (field: StepField) => {
    const { base, live, draft } = sides;
    conflicts.push({
      on: 'step',
      stepId: id,
      field,
      base: base?.step[field] ?? null,
      live: live.step[field],
      draft: draft.step[field],
    });
  };
  const text = (field: 'title' | 'description' | 'assignee' | 'sla') => {
    const merged = pick(({ step }) => step[field]);
    if (merged.conflict) report(field);
    return merged.value ?? sides.draft.step[field];
  };
  const texts = {
    title: text('title'),
    description: text('description'),
    assignee: text('assignee'),
    sla: text('sla'),
  };

  const kind = pick(({ step }) => ({ type: step.type, config: step.config }));
  if (kind.conflict) {
    if (sides.live.step.type !== sides.draft.step.type) report('type');
    if (!sameJson(sides.live.step.config, sides.draft.step.config)) report('config');
  }
  // Type and config come from the same side, so they match.
  const source = kind.from === 'live' ? sides.live.step : sides.draft.step;

  const next = pick((side) => side.next);
  if (next.conflict) report('next');
  return { step: { ...source, ...texts }, next: next.value ?? null };
}

function mergeValue<Value>({ base, live, draft }: Sides<Value>): {
  value: Value;
  from: 'live' | 'draft';
  conflict: boolean;
} {
  if (sameJson(live, draft) || sameJson(base, live)) return { value: draft, from: 'draft', conflict: false };
  if (sameJson(base, draft)) return { value: live, from: 'live', conflict: false };
  return { value: draft, from: 'draft', conflict: true };
}

function link(
  ids: readonly string[],
  steps: ReadonlyMap<string, Mergeable>,
  sides: Sides<ReadonlyMap<string, Mergeable>>,
  conflicts: MergeConflict[],
): Step[] {
  return ids.flatMap((id, index) => {
    const merged = steps.get(id);
    if (merged === undefined) return [];
    const following = ids[index + 1];
    if (merged.next === null) return [{ ...merged.step, next: following === undefined ? [] : [following] }];
    const next = merged.next.filter((target) => steps.has(target));
    const lost = next.length < merged.next.length;
    const reported = conflicts.some(
      (known) => known.on === 'step' && known.stepId === id && ['next', 'step'].includes(known.field),
    );
    if (lost && !reported) {
      const [base, live, draft] = [sides.base, sides.live, sides.draft].map((side) => side.get(id)?.step.next ?? null);
      conflicts.push({ on: 'step', stepId: id, field: 'next', base, live, draft });
    }
    return [{ ...merged.step, next }];
  });
}
