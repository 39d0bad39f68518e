import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Checkpoint, type Finding, openNote, openTrailWalk, readCheckpoint, sameBytes } from '@stet/domain/audit';
import { z } from 'zod';
import { verifyEd25519 } from '../../kernel/audit-signer.ts';
import { keptCheckpoints } from './checkpoint-file.ts';
import { findAuditHead, listCheckpointNotes, listStoredEvents } from './proof.sql.ts';
import type { SealDeps } from './seal-trail.ts';
import { storedEvent } from './stored-event.ts';
import { endVerification, keepProgress } from './verification.sql.ts';

const payloadOf = z.object({ orgId: z.uuid(), verificationId: z.uuid() });

// So few that other requests hardly wait for one chunk's hashes.
const CHUNK = 250;
const PROGRESS_EVERY = 20;
const MOST_CHECKPOINTS = 1000;

type Broken = { firstBadSeq: number; problem: string };

/** Verifies the whole trail of an organization and keeps what came of it, with progress on the way. */
export async function verifyTrail(deps: SealDeps, payload: unknown): Promise<void> {
  const { orgId, verificationId: id } = payloadOf.parse(payload);
  const verdict = await verdictOn(deps, orgId, (done, total) =>
    deps.db.transaction(
      { orgId, userId: null },
      async (tx) => (await tx.maybeOne(keepProgress, { orgId, id, done, total })) !== undefined,
    ),
  );
  if (verdict === 'superseded') return;
  await deps.db.transaction({ orgId, userId: null }, async (tx) =>
    tx.write(endVerification, {
      orgId,
      id,
      state: verdict === null ? 'ok' : 'broken',
      firstBadSeq: verdict?.firstBadSeq ?? null,
      problem: verdict?.problem ?? null,
    }),
  );
}

/**
 * The first thing that is wrong, or null: every event and its place, the stored checkpoints, and those that were kept outside
 * the database. `onProgress` answers whether anyone still waits.
 */
export async function verdictOn(
  { db, config, auditSigner }: SealDeps,
  orgId: string,
  onProgress: (done: number, total: number) => Promise<boolean>,
): Promise<Broken | null | 'superseded'> {
  const tenant = { orgId, userId: null };
  const [head, stored] = await db.transaction(tenant, (tx) =>
    Promise.all([
      tx.maybeOne(findAuditHead, { orgId }),
      tx.many(listCheckpointNotes, { orgId, from: 1, to: Number.MAX_SAFE_INTEGER, limit: MOST_CHECKPOINTS }),
    ]),
  );
  const total = head?.seq ?? 0;
  const keys = auditSigner.trustedKeysOf(orgId);
  const checkpoints: Checkpoint[] = [];
  const unsigned: string[] = [];
  for (const note of [...stored.map((row) => row.note), ...(await keptCheckpoints(config.dataDir, orgId))]) {
    const opened = openNote(note, keys, verifyEd25519);
    const checkpoint = opened.ok ? readCheckpoint(opened.text) : null;
    if (checkpoint) checkpoints.push(checkpoint);
    else unsigned.push(note);
  }
  checkpoints.sort((one, other) => one.size - other.size);

  const found: Finding[] = [];
  const walk = openTrailWalk({
    orgId,
    checkpoints: checkpoints.filter(({ size }) => size <= total),
    find: (kind, { seq = null, line = null } = {}) => void found.push({ kind, seq, line }),
  });
  let last: { seq: number; hash: Uint8Array } | null = null;
  for (let from = 1, chunks = 1; from <= total && found.length === 0; from += CHUNK, chunks += 1) {
    const to = Math.min(from + CHUNK - 1, total);
    const rows = await db.transaction(tenant, (tx) => tx.many(listStoredEvents, { orgId, from, to, runId: null }));
    for (const row of rows) walk.event(storedEvent(orgId, row));
    const final = rows.at(-1);
    if (final) last = { seq: final.seq, hash: final.hash };
    if ((last?.seq ?? 0) < to && found.length === 0) found.push({ kind: 'gap', seq: (last?.seq ?? 0) + 1, line: null });
    if (chunks % PROGRESS_EVERY === 0 && !(await onProgress(to, total))) return 'superseded';
    await nextTurn();
  }
  if (found.length === 0) walk.finish();
  const first = found.find(({ kind }) => kind !== 'unsealed');
  if (first) return { firstBadSeq: first.seq ?? 1, problem: first.kind };
  if (head && last && !sameBytes(last.hash, head.hash)) return { firstBadSeq: last.seq, problem: 'link' };
  // Signed before this began, so the trail had reached so far.
  const missing = checkpoints.find(({ size, at }) => size > total && at <= (head?.now.toISOString() ?? ''));
  if (missing) return { firstBadSeq: total + 1, problem: 'truncation' };
  if (unsigned.length > 0 && stored.some(({ note }) => unsigned.includes(note)))
    return { firstBadSeq: total, problem: 'signature' };
  return (await onProgress(total, total)) ? null : 'superseded';
}
