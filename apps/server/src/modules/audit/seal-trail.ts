import {
  type Checkpoint,
  type ChainProblem,
  type FindingKind,
  type TreeRange,
  GENESIS,
  appendLeaf,
  chainProblem,
  checkpointText,
  emptyRange,
  macProblem,
  openNote,
  payloadProblem,
  readCheckpoint,
  rootOf,
  sameBytes,
  signNote,
  treeOf,
} from '@stet/domain/audit';
import { verifyEd25519 } from './audit-signer.ts';
import type { Deps } from '../../kernel/deps.ts';
import { saveCheckpoint, savedCheckpoints } from './checkpoint-file.ts';
import {
  type CheckpointRow,
  findAuditHead,
  findCheckpointUpTo,
  insertCheckpoint,
  listStoredEvents,
} from './proof.sql.ts';
import { storedEvent } from './stored-event.ts';
import { findVerification } from './verification.sql.ts';

export type SealDeps = Pick<Deps, 'db' | 'config' | 'auditSigner' | 'auditMac'>;

/**
 * Thrown if a trail must not be signed, because there is a problem with its new events or its earlier checkpoints. If
 * `isStored`, the problem was found and stored earlier.
 */
export class BrokenTrail extends Error {
  constructor(
    readonly firstBadSeq: number,
    readonly problem: FindingKind | ChainProblem,
    readonly isStored = false,
  ) {
    super(`the audit trail is broken at event ${firstBadSeq}: ${problem}`);
  }
}

const CHUNK = 500;

/**
 * Signs the current state of an organization's trail if it has grown since the last checkpoint. The cost depends only
 * on the number of new events. Before signing, it verifies the new events and compares the tree with the last
 * checkpoint that was saved outside the database. Returns the size of the last checkpoint, 0 if there is none. Throws
 * `BrokenTrail` if it finds a problem or one is stored. While a verification of a broken trail is running, does
 * nothing.
 */
export async function sealTrail({ db, config, auditSigner, auditMac }: SealDeps, orgId: string): Promise<number> {
  const tenant = { orgId, userId: null };
  const [head, last, verification] = await db.transaction(tenant, (tx) =>
    Promise.all([
      tx.maybeOne(findAuditHead, { orgId }),
      tx.maybeOne(findCheckpointUpTo, { orgId, size: null }),
      tx.maybeOne(findVerification, { orgId }),
    ]),
  );
  if (!head || head.seq === 0) return 0;
  // A broken trail isn't sealed until a verification finds no problem.
  if (verification?.is_broken && verification.state === 'running') return last?.size ?? 0;
  if (verification?.is_broken && verification.problem)
    throw new BrokenTrail(verification.first_bad_seq ?? 1, verification.problem, true);
  const keys = auditSigner.trustedKeysOf(orgId);
  const saved = lastOf(await savedCheckpoints(config.dataDir, orgId), (note) => opened(note, keys));
  if (saved && saved.size > head.seq) throw new BrokenTrail(head.seq + 1, 'truncation');
  const sealed = last && opened(last.note, keys);
  if (last && !sealed) throw new BrokenTrail(last.size, 'signature');
  if (last && last.size >= head.seq) return last.size;

  const macs = auditMac.checkOf(orgId);
  let tree = last ? treeOf(last.size, peaksOf(last)) : emptyRange();
  assertSame(tree, sealed ?? null);
  if (saved && last && saved.size < last.size) await assertKnown(db, orgId, saved);
  else assertSame(tree, saved);
  let before = { seq: tree.to, hash: sealed?.head ?? GENESIS, at: -(2n ** 63n) };
  while (before.seq < head.seq) {
    const to = Math.min(before.seq + CHUNK, head.seq);
    const rows = await db.transaction(tenant, (tx) =>
      tx.many(listStoredEvents, { orgId, from: before.seq + 1, to, runId: null }),
    );
    for (const row of rows) {
      const event = storedEvent(orgId, row);
      const problem = chainProblem(event, before, orgId) ?? payloadProblem(event) ?? macProblem(event, macs);
      if (problem) throw new BrokenTrail(problem === 'gap' ? before.seq + 1 : event.seq, problem);
      tree = appendLeaf(tree, event.hash);
      assertSame(tree, saved);
      before = event;
    }
    if (before.seq < to) throw new BrokenTrail(before.seq + 1, 'gap');
  }
  if (!sameBytes(before.hash, head.hash)) throw new BrokenTrail(head.seq, 'link');

  const at = head.now.toISOString();
  const root = rootOf(tree);
  const text = checkpointText({ orgId, size: tree.to, root, head: before.hash, at });
  const note = signNote(text, auditSigner.keyOf(orgId), auditSigner.sign);
  // The checkpoint is written to the file first, so that every checkpoint in the table is also in the file.
  await saveCheckpoint(config.dataDir, orgId, note);
  const peaks = Buffer.concat(tree.nodes.map(({ hash }) => hash));
  await db.transaction(tenant, async (tx) =>
    tx.write(insertCheckpoint, {
      orgId,
      size: tree.to,
      at,
      root: Buffer.from(root),
      head: Buffer.from(before.hash),
      peaks,
      note,
    }),
  );
  return tree.to;
}

/** The contents of a checkpoint, or null if it wasn't signed with one of these keys. */
function opened(note: string, keys: Parameters<typeof openNote>[1]): Checkpoint | null {
  const verified = openNote(note, keys, verifyEd25519);
  return verified.ok ? readCheckpoint(verified.text) : null;
}

function lastOf(notes: readonly string[], read: (note: string) => Checkpoint | null): Checkpoint | null {
  for (const note of notes.toReversed()) {
    const checkpoint = read(note);
    // Skips a checkpoint that a crash has cut off.
    if (checkpoint) return checkpoint;
  }
  return null;
}

/** Throws if the tree differs from a checkpoint of its size. */
function assertSame(tree: TreeRange, checkpoint: Checkpoint | null): void {
  if (checkpoint?.size !== tree.to || sameBytes(checkpoint.root, rootOf(tree))) return;
  throw new BrokenTrail(checkpoint.size, 'rewrite');
}

/**
 * Throws if the last checkpoint that this server saved differs from the table's checkpoint of the same size. Other
 * servers may have created later checkpoints.
 */
async function assertKnown(db: Deps['db'], orgId: string, saved: Checkpoint): Promise<void> {
  const row = await db.transaction({ orgId, userId: null }, (tx) =>
    tx.maybeOne(findCheckpointUpTo, { orgId, size: saved.size }),
  );
  if (row?.size === saved.size && !sameBytes(row.root, saved.root)) throw new BrokenTrail(saved.size, 'rewrite');
}

/** The subtrees that were stored with a checkpoint, largest first. */
export function peaksOf({ peaks }: Pick<CheckpointRow, 'peaks'>): Buffer[] {
  return Array.from({ length: peaks.length / 32 }, (_, n) => peaks.subarray(n * 32, n * 32 + 32));
}
