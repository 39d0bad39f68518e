import type { AuditStatus } from '@stet/contract';

/** The chain's state. Counts are numbers of events, and times are the server's. */
export type Seal =
  | { state: 'empty' }
  | { state: 'unchecked' }
  | { state: 'checking'; done: number; total: number }
  | { state: 'verified'; checkedAt: string }
  /** `firstBadSeq` is null if the chain itself is intact but a stored governance record doesn't match it. */
  | { state: 'broken'; firstBadSeq: number | null; sentence: string; checkedAt: string };

/** The chain's state according to the last verification. An interrupted verification counts as none. */
export function sealOf({ events, verification }: AuditStatus): Seal {
  if (events === 0) return { state: 'empty' };
  switch (verification?.state) {
    case 'running':
      return { state: 'checking', done: verification.done, total: verification.total };
    case 'ok':
      return { state: 'verified', checkedAt: verification.updatedAt };
    case 'broken':
      return {
        state: 'broken',
        firstBadSeq: verification.problem === 'row' ? null : (verification.firstBadSeq ?? 1),
        sentence: verification.sentence ?? 'An event was changed after it was recorded',
        checkedAt: verification.updatedAt,
      };
    case 'interrupted':
    case undefined:
      return { state: 'unchecked' };
  }
}

/** The number of the last event that the last or current verification has confirmed, or 0 if there is none. */
export function verifiedUpTo({ verification }: AuditStatus): number {
  switch (verification?.state) {
    case 'ok':
      return verification.total;
    case 'running':
      return verification.done;
    case 'broken':
      // Rows are only compared with the events once all events are verified.
      return verification.problem === 'row' ? verification.total : Math.max(0, (verification.firstBadSeq ?? 1) - 1);
    case 'interrupted':
    case undefined:
      return 0;
  }
}

const DAY_MS = 24 * 3_600_000;

/**
 * Whether the last verification found the chain intact more than 24 hours ago, was interrupted, or never took place. If
 * so, opening the screen starts a verification.
 */
export function wantsVerification(status: AuditStatus, now: number): boolean {
  const seal = sealOf(status);
  if (seal.state === 'unchecked') return true;
  return seal.state === 'verified' && now - Date.parse(seal.checkedAt) > DAY_MS;
}
