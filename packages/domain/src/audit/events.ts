import { canonicalJson } from '../workflows/canonical-json.ts';
import type { AuditAction } from './actions.ts';

/** What an event can be about. Drafts are versions that are not merged yet. */
export const AUDIT_SUBJECTS = [
  'user',
  'organization',
  'invitation',
  'workflow',
  'version',
  'run',
  'integration',
  'token',
  'webhook',
  'audit',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/**
 * Who did it; jobs of the server act as `{ kind: 'system', id: 'system', name: 'system' }`. An API token acts under its own
 * id; `personId` is the person who answers for it.
 */
type AuditActor = {
  kind: 'user' | 'system' | 'token';
  id: string;
  name: string;
  email?: string;
  personId?: string;
  /** Further people, by id, whose act it counts as. */
  also?: readonly string[];
};

export const SYSTEM_ACTOR = { kind: 'system', id: 'system', name: 'system' } as const satisfies AuditActor;

/** What an event says: who, what, on what, from which session, and what belongs to it, before and after where that is small. */
export type AuditRecord = {
  actor: AuditActor;
  action: AuditAction;
  subject: { type: AuditSubject; id: string };
  runId?: string;
  sessionId?: string;
  data?: Readonly<Record<string, unknown>>;
};

/** The columns by which events are found; each is derived from the payload, and verification compares them. */
type DerivedColumns = {
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string;
  runId: string | null;
};

/**
 * One stored event of an organization. Payload and salt are null once personal data was erased from it; digest and hash
 * stay, so the chain still holds.
 */
export type AuditEvent = DerivedColumns & {
  /** UUID. */
  orgId: string;
  /** From 1, without a gap. */
  seq: number;
  /** Microseconds since 1970. */
  at: bigint;
  /** Canonical JSON of the record, hashed as it stands. */
  payload: string | null;
  salt: Uint8Array | null;
  /** 32 bytes each. */
  digest: Uint8Array;
  prev: Uint8Array;
  hash: Uint8Array;
};

/** The payload of a record: its canonical JSON (RFC 8785). Throws `NotCanonical` for data that has no JSON form. */
export function auditPayload(record: AuditRecord): string {
  return canonicalJson(record);
}

/** The columns of a record, as they are stored beside its payload. */
export function derivedColumns({ actor, action, subject, runId }: AuditRecord): DerivedColumns {
  return { actor: actor.id, action, subjectType: subject.type, subjectId: subject.id, runId: runId ?? null };
}

/** The record of an erasure: which events lost payload and salt. Verification wants one for each such event. */
export function erasureRecord(
  by: Pick<AuditRecord, 'actor' | 'sessionId'>,
  orgId: string,
  seqs: readonly number[],
): AuditRecord {
  return { ...by, action: 'audit.erased', subject: { type: 'audit', id: orgId }, data: { seqs: [...seqs] } };
}
