export const KINDS = ['run', 'step', 'draft', 'save', 'merge'] as const;
export type Kind = (typeof KINDS)[number];

/** A change as a client knows it. */
export type Asked = {
  kind: Kind;
  /** Unique within its kind. */
  id: string;
  /** The server has said that it is done. */
  acknowledged: boolean;
  /** How often it was asked for without an answer that says whether it was done. */
  unanswered: number;
};

/** How often the server shows a change as done; what isn't here was not done. */
export type Seen = ReadonlyMap<string, number>;

export type Verdict = {
  acknowledged: number;
  /** Acknowledged, and not there. */
  lost: string[];
  /** Done more than once. */
  duplicated: string[];
  /** There, though nobody asked for it. */
  unasked: string[];
  /** Asked at least once without knowing whether it was done. */
  inDoubt: number;
  /** Asked for and never acknowledged, however often it was asked. */
  unsettled: number;
};

export const nameOf = (kind: Kind, id: string): string => `${kind} ${id}`;

/** Compares what clients were told with what is there. What nobody was told of may be there once or not at all. */
export function judge(asked: readonly Asked[], seen: Seen): Verdict {
  const verdict: Verdict = { acknowledged: 0, lost: [], duplicated: [], unasked: [], inDoubt: 0, unsettled: 0 };
  const known = new Set<string>();
  for (const { kind, id, acknowledged, unanswered } of asked) {
    const name = nameOf(kind, id);
    known.add(name);
    const times = seen.get(name) ?? 0;
    if (acknowledged) verdict.acknowledged += 1;
    else verdict.unsettled += 1;
    if (acknowledged && times === 0) verdict.lost.push(name);
    if (times > 1) verdict.duplicated.push(name);
    if (unanswered > 0) verdict.inDoubt += 1;
  }
  for (const [name, times] of seen) if (times > 0 && !known.has(name)) verdict.unasked.push(name);
  return verdict;
}

type Trailed = { action: string; count: number };
const RECORDED: Record<Kind, string> = {
  run: 'run.started',
  step: 'step.completed',
  draft: 'draft.created',
  save: 'draft.saved',
  merge: 'draft.merged',
};

/** Where the audit trail tells another number of changes than the server shows: a sentence for each kind. */
export function disagreements(seen: Seen, trail: readonly Trailed[]): string[] {
  return KINDS.flatMap((kind) => {
    const shown = [...seen].reduce((sum, [name, times]) => sum + (name.startsWith(`${kind} `) ? times : 0), 0);
    const recorded = trail.find(({ action }) => action === RECORDED[kind])?.count ?? 0;
    return shown === recorded ? [] : [`the audit trail has ${recorded} × ${RECORDED[kind]}, and ${shown} are shown`];
  });
}
