import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type AuditEvent,
  type Checkpoint,
  type FindingKind,
  type WalkState,
  chainProblem,
  macProblem,
  openNote,
  openTrailWalk,
  originOf,
  payloadProblem,
  readCheckpoint,
  sameBytes,
  signNote,
} from '@stet/domain/audit';
import { z } from 'zod';
import { verifyEd25519 } from './audit-signer.ts';
import type { AuditSigner } from '../../kernel/deps.ts';
import { savedCheckpoints } from './checkpoint-file.ts';
import { findAuditHead, listCheckpointNotes, listStoredEvents } from './proof.sql.ts';
import type { SealDeps } from './seal-trail.ts';
import { storedEvent } from './stored-event.ts';
import { type RowProgress, continueRows } from './verify-rows.ts';

// Number of events per chunk. It is low enough that hashing a chunk hardly delays other requests.
const CHUNK = 250;
const MAX_CHECKPOINTS = 1000;
/**
 * Maximum age of an unfinished verification in milliseconds. An older one starts again, because the events that it has
 * read may have changed.
 */
const STALE_MS = 20 * 3_600_000;

/**
 * The first problem that was found. If it is in a row and not in an event, `detail` describes the difference, and
 * `firstBadSeq` is the number of the last event.
 */
export type Found = { firstBadSeq: number; problem: FindingKind; detail: string | null };

/**
 * The progress in verifying a whole trail. Events after number `total` were appended after the verification started.
 */
export type Progress = {
  startedAt: string;
  total: number;
  head: Uint8Array;
  walked: WalkState | null;
  /** The progress of comparing rows with events. Null while events are still being read. */
  rows: RowProgress | null;
};

/** A verification of a whole trail that found no problem. */
export type Whole = { startedAt: string; endedAt: string; walked: WalkState };

type Step = { is: 'under_way'; progress: Progress } | { is: 'ended'; found: Found | null; progress: Progress };

/** The progress when the verification of a whole trail starts. */
export async function beginProgress({ db }: Pick<SealDeps, 'db'>, orgId: string): Promise<Progress> {
  const head = await db.transaction({ orgId, userId: null }, (tx) => tx.maybeOne(findAuditHead, { orgId }));
  const startedAt = (head?.now ?? new Date()).toISOString();
  return { startedAt, total: head?.seq ?? 0, head: head?.hash ?? new Uint8Array(32), walked: null, rows: null };
}

/**
 * Continues a verification for a limited time. It verifies every event and its position, the stored checkpoints, and
 * the checkpoints saved outside the database. After that, it compares the stored rows with the events.
 */
export async function continueVerification(
  deps: SealDeps,
  orgId: string,
  progress: Progress,
  budgetMs: number,
): Promise<Step> {
  const until = performance.now() + budgetMs;
  if (progress.rows) return compareRows(deps, orgId, { ...progress, rows: progress.rows }, until);
  const { total } = progress;
  const ended = (firstBadSeq: number, problem: FindingKind): Step => ({
    is: 'ended',
    found: { firstBadSeq, problem, detail: null },
    progress,
  });
  const from = progress.walked?.seq ?? 0;
  const { checkpoints, unsigned } = await checkpointsFrom(deps, orgId, from);
  const walking = { start: progress.walked, to: total, checkpoints, until };
  const { found, walked } = await walkTrail(deps, orgId, walking).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
    return { found: { firstBadSeq: from + 1, problem: 'form' as const }, walked: null };
  });
  if (found) return ended(found.firstBadSeq, found.problem);
  const now = { ...progress, walked };
  if ((walked?.seq ?? 0) < total) return { is: 'under_way', progress: now };
  if (walked && !sameBytes(walked.hash, progress.head)) return ended(total, 'link');
  // The checkpoint was signed before this verification started, so the trail must have reached that size.
  const missing = checkpoints.find(({ size, at }) => size > total && at <= progress.startedAt);
  if (missing) return ended(total + 1, 'truncation');
  if (unsigned) return ended(total, 'signature');
  if (total === 0) return { is: 'ended', found: null, progress: now };
  return compareRows(deps, orgId, { ...now, rows: { step: 'macs', after: '0' } }, until);
}

async function compareRows(
  deps: SealDeps,
  orgId: string,
  progress: Progress & { rows: RowProgress },
  until: number,
): Promise<Step> {
  const { found, rows } = await continueRows(deps, orgId, progress, until).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
    const detail = 'A stored row can’t be read';
    return { found: { problem: 'row' as const, seq: null, detail }, rows: progress.rows };
  });
  if (found) {
    const { problem, seq, detail } = found;
    return { is: 'ended', found: { firstBadSeq: seq ?? progress.total, problem, detail }, progress };
  }
  const now = { ...progress, rows };
  return rows ? { is: 'under_way', progress: now } : { is: 'ended', found: null, progress: now };
}

/**
 * True if a stored value can't be read, for example an infinite timestamp. No server stores such values, so this is a
 * finding and not a failure of the verification.
 */
const isUnreadable = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof SyntaxError ||
  error instanceof RangeError ||
  // PostgreSQL's data exceptions, and `0A000`, which it raises when an infinite timestamp is converted to a number.
  (error instanceof Error && 'code' in error && /^(?:22|0A000)/.test(String(error.code)));

/** Verifies a whole trail in one call. `onProgress` returns false if another verification has replaced this one. */
export async function verdictOn(
  deps: SealDeps,
  orgId: string,
  onProgress: (progress: Progress) => Promise<boolean> = () => Promise.resolve(true),
): Promise<(Step & { is: 'ended' }) | { is: 'superseded' }> {
  let progress = await beginProgress(deps, orgId);
  for (;;) {
    const step = await continueVerification(deps, orgId, progress, 500);
    if (!(await onProgress(step.progress))) return { is: 'superseded' };
    if (step.is === 'ended') return step;
    ({ progress } = step);
  }
}

type Walk = { start: WalkState | null; to: number; checkpoints: readonly Checkpoint[]; until?: number };

/** Verifies the events after `start`. Stops at the first finding, at event `to`, or when the time is up. */
export async function walkTrail(
  { db, auditMac }: SealDeps,
  orgId: string,
  { start, to, checkpoints, until = Number.POSITIVE_INFINITY }: Walk,
): Promise<{ found: Omit<Found, 'detail'> | null; walked: WalkState | null }> {
  let found: Omit<Found, 'detail'> | null = null;
  const walk = openTrailWalk({
    orgId,
    checkpoints: checkpoints.filter(({ size }) => size <= to),
    find: (problem, { seq = null } = {}) => void (found ??= { firstBadSeq: seq ?? 1, problem }),
    macs: auditMac.checkOf(orgId),
    start,
  });
  // At least one chunk is read, so that each call makes progress.
  let from = (start?.seq ?? 0) + 1;
  for (let isFirst = true; from <= to && !found && (isFirst || performance.now() < until); isFirst = false) {
    const last = Math.min(from + CHUNK - 1, to);
    const rows = await db.transaction({ orgId, userId: null }, (tx) =>
      tx.many(listStoredEvents, { orgId, from, to: last, runId: null }),
    );
    for (const row of rows) walk.event(storedEvent(orgId, row));
    const end = rows.at(-1)?.seq ?? from - 1;
    if (end < last) found ??= { firstBadSeq: end + 1, problem: 'gap' };
    from = last + 1;
    await nextTurn();
  }
  return { found, walked: walk.state() };
}

/**
 * Reads the signed checkpoints of at least this size, smallest first, from the database and from the file outside it.
 * Reads only the newest ones. `unsigned`: the database contains one that no trusted key has signed.
 */
export async function checkpointsFrom(
  { db, config, auditSigner }: SealDeps,
  orgId: string,
  from: number,
): Promise<{ checkpoints: Checkpoint[]; unsigned: boolean }> {
  const stored = await db.transaction({ orgId, userId: null }, (tx) =>
    tx.many(listCheckpointNotes, {
      orgId,
      from: Math.max(1, from),
      to: Number.MAX_SAFE_INTEGER,
      limit: MAX_CHECKPOINTS,
    }),
  );
  const keys = auditSigner.trustedKeysOf(orgId);
  const checkpoints: Checkpoint[] = [];
  const open = (note: string): boolean => {
    const opened = openNote(note, keys, verifyEd25519);
    const checkpoint = opened.ok ? readCheckpoint(opened.text) : null;
    if (checkpoint) checkpoints.push(checkpoint);
    return checkpoint !== null;
  };
  const unsigned = stored.filter(({ note }) => !open(note)).length > 0;
  const known = new Set(stored.map(({ note }) => note));
  for (const note of await savedCheckpoints(config.dataDir, orgId)) {
    const size = Number(note.split('\n', 2)[1]);
    if (!known.has(note) && !(size < from)) open(note);
  }
  return { checkpoints: checkpoints.sort((one, other) => one.size - other.size), unsigned };
}

/**
 * Verifies each event separately, and its link to the previous event if that event is in the range. Only a verification
 * of the whole trail proves the positions of events.
 */
export async function verifyEvents(
  { db, auditMac }: SealDeps,
  orgId: string,
  { first, last, runId }: { first: number; last: number; runId: string | null },
): Promise<Omit<Found, 'detail'> | null> {
  const macs = auditMac.checkOf(orgId);
  let before: AuditEvent | null = null;
  for (let from = first; from <= last; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, last);
    const rows = await db.transaction({ orgId, userId: null }, (tx) =>
      tx.many(listStoredEvents, { orgId, from, to, runId }),
    );
    for (const row of rows) {
      const event = storedEvent(orgId, row);
      const isNext: boolean = before?.seq === event.seq - 1;
      const place = isNext && before ? before : { seq: event.seq - 1, hash: null, at: event.at };
      const problem = chainProblem(event, place, orgId) ?? payloadProblem(event) ?? macProblem(event, macs);
      if (problem) return { firstBadSeq: event.seq, problem };
      before = event;
    }
    await nextTurn();
  }
  return null;
}

/**
 * Signs a statement by the server about an organization's trail, so that it can be stored where others can write. The
 * statement must contain a timestamp, because an attacker could replace it with an earlier statement.
 */
function signStatement(signer: AuditSigner, orgId: string, title: string, data: unknown): string {
  return signNote(`stet ${title} of ${orgId}\n${JSON.stringify(data)}\n`, signer.keyOf(orgId), signer.sign);
}

/** Reads a statement signed by `signStatement`. Returns null for any other text. */
function readStatement(signer: AuditSigner, orgId: string, title: string, note: string | null): unknown {
  if (note === null) return null;
  const keys = signer.trustedKeysOf(orgId).map(({ publicKey }) => ({ name: originOf(orgId), publicKey }));
  const opened = openNote(note, keys, verifyEd25519);
  const head = `stet ${title} of ${orgId}\n`;
  return opened.ok && opened.text.startsWith(head) ? (JSON.parse(opened.text.slice(head.length)) as unknown) : null;
}

const hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const bytes = hex.transform((text) => new Uint8Array(Buffer.from(text, 'hex')));
const walkForm = z
  .object({ seq: z.number(), hash: bytes, at: z.string(), places: z.array(z.tuple([z.number(), bytes])) })
  .transform(({ seq, hash, at, places }) => ({
    seq,
    hash,
    at: BigInt(at),
    tree: { size: seq, places: new Map(places) },
  }));
const progressForm = z.object({
  startedAt: z.string(),
  total: z.number(),
  head: bytes,
  walked: walkForm.nullable(),
  rows: z.object({ step: z.enum(['macs', 'governing', 'runs']), after: z.string() }).nullable(),
});
const wholeForm = z.object({ startedAt: z.string(), endedAt: z.string(), walked: walkForm });

const hexOf = (some: Uint8Array): string => Buffer.from(some).toString('hex');
const walkText = ({ seq, hash, at, tree }: WalkState) => ({
  seq,
  hash: hexOf(hash),
  at: String(at),
  places: [...tree.places].map(([place, node]) => [place, hexOf(node)]),
});

type Signing = Pick<SealDeps, 'auditSigner'>;

export const signProgress = ({ auditSigner }: Signing, orgId: string, { walked, head, ...rest }: Progress): string =>
  signStatement(auditSigner, orgId, 'progress', { ...rest, head: hexOf(head), walked: walked && walkText(walked) });

/** Reads the progress of a verification. Null if it isn't signed with a trusted key, or is too old to be continued. */
export function readProgress({ auditSigner }: Signing, orgId: string, note: string | null, now: Date): Progress | null {
  const parsed = progressForm.safeParse(readStatement(auditSigner, orgId, 'progress', note));
  const isFresh = parsed.success && now.getTime() - Date.parse(parsed.data.startedAt) < STALE_MS;
  return isFresh ? parsed.data : null;
}

export const signWhole = ({ auditSigner }: Signing, orgId: string, { walked, ...rest }: Whole): string =>
  signStatement(auditSigner, orgId, 'verification', { ...rest, walked: walkText(walked) });

export function readWhole({ auditSigner }: Signing, orgId: string, note: string | null): Whole | null {
  const parsed = wholeForm.safeParse(readStatement(auditSigner, orgId, 'verification', note));
  return parsed.success ? parsed.data : null;
}
