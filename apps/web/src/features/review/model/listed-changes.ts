import type { Diff } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { grouped } from './grouped.ts';

type DiffEntry = Diff['detailed'][number];
export type PlacedStep = { step: Step; number: number };

/**
 * A part of the list: a change in detail, an unchanged step that is shown for its open comments or on request, or
 * consecutive unchanged steps.
 */
export type ChangeBlock =
  | { kind: 'change'; entry: DiffEntry; title: string; number: number | null; step: Step | null }
  | { kind: 'spoken_of'; step: Step; number: number }
  | { kind: 'unchanged'; steps: PlacedStep[] };

/** The blocks in document order, and the numbers of changed steps that aren't listed and of unchanged steps. */
export type ChangeList = { blocks: ChangeBlock[]; more: number; unchanged: number };

/**
 * The steps in document order. Changed steps are shown in detail, and unchanged ones between them are folded. If the
 * diff only has details of the first changes, the list ends after the last of these.
 * @param spokenOf the ids of the steps that are shown even if unchanged: those with open comments, and a requested one
 */
export function changeList(diff: Diff, steps: readonly Step[], spokenOf: ReadonlySet<string>): ChangeList {
  const entries = new Map(diff.detailed.map((entry) => [entry.id, entry]));
  const changed = new Set([...diff.summary.added, ...diff.summary.modified]);
  const removedBehind = grouped(
    diff.detailed.filter(({ type }) => type === 'removed'),
    ({ behind }) => behind ?? null,
  );
  const more = diff.total - diff.detailed.length;
  const blocks: ChangeBlock[] = [];
  let folded: PlacedStep[] = [];
  let left = diff.detailed.length;
  const unfold = () => {
    if (folded.length > 0) blocks.push({ kind: 'unchanged', steps: folded });
    folded = [];
  };
  const push = (block: ChangeBlock) => {
    unfold();
    blocks.push(block);
    if (block.kind === 'change') left -= 1;
  };
  const pushRemoved = (behind: string | null) => {
    for (const entry of removedBehind.get(behind) ?? [])
      push({ kind: 'change', entry, title: titleOfRemoved(entry), number: null, step: null });
  };

  pushRemoved(null);
  for (const [index, step] of steps.entries()) {
    if (more > 0 && left === 0) break;
    const entry = entries.get(step.id);
    const number = index + 1;
    if (entry && entry.type !== 'removed') push({ kind: 'change', entry, title: step.title || step.id, number, step });
    else if (spokenOf.has(step.id)) push({ kind: 'spoken_of', step, number });
    else if (!changed.has(step.id)) folded.push({ step, number });
    pushRemoved(step.id);
  }
  unfold();
  return { blocks, more, unchanged: steps.filter(({ id }) => !changed.has(id)).length };
}

const titleOfRemoved = ({ id, value }: DiffEntry): string => {
  const title = (value as Partial<Step> | undefined)?.title;
  return typeof title === 'string' && title !== '' ? title : id;
};
