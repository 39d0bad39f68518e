import type { AuditAction } from '@stet/domain/audit';

export const KINDS = ['run', 'step', 'draft', 'save', 'merge'] as const;
export type Kind = (typeof KINDS)[number];

/** A change from a client's point of view. */
export type Asked = {
  kind: Kind;
  /** Unique within its kind. */
  id: string;
  /** True if the server has acknowledged the change. */
  acknowledged: boolean;
  /** How many requests for the change got no conclusive response. */
  unanswered: number;
};

/** How many times the server shows each change. A change that is absent was not applied. */
export type Seen = ReadonlyMap<string, number>;

export type Verdict = {
  acknowledged: number;
  /** Changes that were acknowledged but are missing. */
  lost: string[];
  /** Changes that were applied more than once. */
  duplicated: string[];
  /** Changes that are present without a request. */
  unasked: string[];
  /** The number of changes with at least one request of unknown outcome. */
  inDoubt: number;
  /** The number of changes that were never acknowledged. */
  unacknowledged: number;
};

export const nameOf = (kind: Kind, id: string): string => `${kind} ${id}`;

/**
 * Compares the responses that clients got with the final state. An unacknowledged change may be present once or not at
 * all.
 */
export function judge(asked: readonly Asked[], seen: Seen): Verdict {
  const verdict: Verdict = { acknowledged: 0, lost: [], duplicated: [], unasked: [], inDoubt: 0, unacknowledged: 0 };
  const known = new Set<string>();
  for (const { kind, id, acknowledged, unanswered } of asked) {
    const name = nameOf(kind, id);
    known.add(name);
    const times = seen.get(name) ?? 0;
    if (acknowledged) verdict.acknowledged += 1;
    else verdict.unacknowledged += 1;
    if (acknowledged && times === 0) verdict.lost.push(name);
    if (times > 1) verdict.duplicated.push(name);
    if (unanswered > 0) verdict.inDoubt += 1;
  }
  for (const [name, times] of seen) if (times > 0 && !known.has(name)) verdict.unasked.push(name);
  return verdict;
}

type Trailed = { action: string; count: number };
const RECORDED: Record<Kind, AuditAction> = {
  run: 'run.started',
  step: 'step.completed',
  draft: 'draft.created',
  save: 'draft.saved',
  merge: 'draft.merged',
};

/**
 * Returns a sentence for each kind of change whose number in the audit trail differs from the number that the server
 * shows.
 */
export function disagreements(seen: Seen, trail: readonly Trailed[]): string[] {
  return KINDS.flatMap((kind) => {
    const shown = [...seen].reduce((sum, [name, times]) => sum + (name.startsWith(`${kind} `) ? times : 0), 0);
    const recorded = trail.find(({ action }) => action === RECORDED[kind])?.count ?? 0;
    return shown === recorded ? [] : [`the audit trail has ${recorded} × ${RECORDED[kind]}, but ${shown} are shown`];
  });
}
