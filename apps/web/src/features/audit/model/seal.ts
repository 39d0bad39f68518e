import type { AuditStatus } from '@stet/contract';

/** What the seal says of the chain. Counts are of events; moments as the server gave them. */
export type Seal =
  | { state: 'empty' }
  | { state: 'unchecked' }
  | { state: 'checking'; done: number; total: number }
  | { state: 'verified'; checkedAt: string }
  | { state: 'broken'; firstBadSeq: number; sentence: string; checkedAt: string };

/** What is known of the chain; a verification that nobody finished says nothing. */
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
        firstBadSeq: verification.firstBadSeq ?? 1,
        sentence: verification.sentence ?? 'An event is not as it was recorded',
        checkedAt: verification.updatedAt,
      };
    case 'interrupted':
    case undefined:
      return { state: 'unchecked' };
  }
}

/** The number up to which the last verification found every event as it was recorded; 0 where none says so. */
export function verifiedUpTo({ verification }: AuditStatus): number {
  switch (verification?.state) {
    case 'ok':
      return verification.total;
    case 'running':
      return verification.done;
    case 'broken':
      return Math.max(0, (verification.firstBadSeq ?? 1) - 1);
    case 'interrupted':
    case undefined:
      return 0;
  }
}

const DAY_MS = 24 * 3_600_000;

/** True where nobody verified the chain within a day: then looking at it is reason enough. */
export function wantsVerification(status: AuditStatus, now: number): boolean {
  const seal = sealOf(status);
  if (seal.state === 'unchecked') return true;
  return seal.state === 'verified' && now - Date.parse(seal.checkedAt) > DAY_MS;
}
