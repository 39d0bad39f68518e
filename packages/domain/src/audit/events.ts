import { canonicalJson } from '../workflows/canonical-json.ts';
import type { AuditAction } from './actions.ts';

/** Kinds of subjects of an event. A draft is a version that is not merged yet. */
export const AUDIT_SUBJECTS = [
  'user',
  'organization',
  'invitation',
  'group',
  'delegation',
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
 * The person, program or server that acted. Jobs of the server and its command line act as `{ kind: 'system', id:
 * 'system', name: 'system' }`. An API token acts under its own id; `personId` is the person responsible for it.
 */
type AuditActor = {
  kind: 'user' | 'system' | 'token';
  id: string;
  name: string;
  email?: string;
  personId?: string;
  /** Ids of other people; the action counts as theirs too. */
  also?: readonly string[];
  /** The person for whom the actor acted as their delegate. */
  onBehalfOf?: { id: string; name: string; email: string };
};

export const SYSTEM_ACTOR = { kind: 'system', id: 'system', name: 'system' } as const satisfies AuditActor;

/** An event's content: who did what, to which subject, from which session, and small values from before and after. */
export type AuditRecord = {
  actor: AuditActor;
  action: AuditAction;
  subject: { type: AuditSubject; id: string };
  runId?: string;
  sessionId?: string;
  /** For a run's event: the digest of the resulting state, used to verify the stored state. */
  stateHash?: string;
  data?: Readonly<Record<string, unknown>>;
};

/** Columns for finding events. They are derived from the payload, and verification compares them with it. */
type DerivedColumns = {
  actor: string;
  action: string;
  subjectType: string;
  subjectId: string;
  runId: string | null;
};

/** The MAC that a server computed with the installation's key before it appended the event: HMAC-SHA-256, 32 bytes. */
export type EventMac = {
  /** The server's clock, in microseconds since 1970. */
  madeAt: bigint;
  bytes: Uint8Array;
};

/**
 * One stored event of an organization. An event without payload or salt is a finding, because erasing is never allowed.
 */
export type AuditEvent = DerivedColumns & {
  /** The organization's UUID. */
  orgId: string;
  /** Counts from 1 without gaps. */
  seq: number;
  /** Microseconds since 1970. */
  at: bigint;
  /** Canonical JSON of the record, hashed as is. */
  payload: string | null;
  salt: Uint8Array | null;
  /** 32 bytes each. */
  digest: Uint8Array;
  prev: Uint8Array;
  hash: Uint8Array;
  /** Null for events older than MACs. */
  mac: EventMac | null;
};

/**
 * Returns the payload of a record: its canonical JSON (RFC 8785). Throws `NotCanonical` for data that `canonicalJson`
 * refuses.
 */
export function auditPayload(record: AuditRecord): string {
  return canonicalJson(record);
}

/** Returns the columns stored beside a record's payload. */
export function derivedColumns({ actor, action, subject, runId }: AuditRecord): DerivedColumns {
  return { actor: actor.id, action, subjectType: subject.type, subjectId: subject.id, runId: runId ?? null };
}
