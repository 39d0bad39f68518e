import { createHash } from 'node:crypto';
import type { Permission } from '@stet/domain/access';
import { type Evidence, FILE_LIMITS, canHavePreview, chunkLength, chunksOf, isFileKind } from '@stet/domain/steps';
import { refusalByStatus, stepStateOf } from '@stet/domain/runs';
import { enqueueJobs } from '../../../db/outbox.ts';
import type { Handler } from '../../../http/handler.ts';
import type { OrgActor } from '../../../kernel/actor.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Tx } from '../../../kernel/database.ts';
import { freeBuffer } from '../../../kernel/memory.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refused } from '../../../kernel/refused.ts';
import { type Delegator, listDelegators } from '../../delegations/index.ts';
import { delegatedAccess } from '../delegated-access.ts';
import { type RunRow, findRun, readClock } from '../runs.sql.ts';
import { stepAccess } from '../step-access.ts';
import { lengthOf } from './file-bytes.ts';
import { fileStore } from './file-store.ts';
import {
  type FileRow,
  completeFile as saveCompletion,
  deleteFile,
  findUsage,
  insertFile,
  lockFile,
  reserveSpace,
  reuseSameFile,
  shareFile,
} from './files.sql.ts';
import { previewJob } from './make-preview.job.ts';

export const notFound = () => new Refused({ code: 'not_found', what: 'file' });

/**
 * Begins an upload for an active step that has a field for files and that the person may complete, also as a delegate.
 * Without a step, the upload is for a note on the run. If the same person has already begun to upload the same file for
 * the same purpose, and it isn't attached, returns that upload. The space is reserved now, so that concurrent uploads
 * can't exceed the quota together.
 */
export const beginUpload: Handler<'POST /api/files'> = ({ db, config }, { actor, body, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId, userId } = actor;
    const { runId, stepId = null, size, sha256 } = body;
    const name = plainName(body.name);
    const of = { orgId, runId, stepId, userId, sha256, name, size };
    const [row, clock, same, delegators] = await Promise.all([
      tx.maybeOne(findRun, { orgId, runId }),
      tx.maybeOne(readClock, {}),
      tx.maybeOne(reuseSameFile, of),
      listDelegators(tx, actor),
    ]);
    if (!row || !clock) throw new Refused({ code: 'not_found', what: 'run' });
    tx.needs(requireOneOf(actor, toUploadFor(stepId)));
    if (stepId !== null) await assertTakesFiles(tx, { actor, row, now: clock.now, stepId, delegators });
    const { chunk: chunkSize } = FILE_LIMITS;
    if (same) return answer({ id: same.id, chunkSize, chunks: same.chunks });
    const { fileQuota: quota } = config;
    if (!(await tx.maybeOne(reserveSpace, { orgId, size, quota }))) throw new Refused({ code: 'no_file_space', quota });
    const id = newId();
    tx.write(insertFile, { ...of, id });
    return answer({ id, chunkSize, chunks: [] });
  });

/** Uploading a file for the step or, without a step, for a note needs one of these permissions. */
const toUploadFor = (stepId: string | null): readonly [Permission, ...Permission[]] =>
  stepId === null ? ['run.note'] : ['step.act_assigned', 'step.act_any', 'step.stand_in'];

/** Returns the first of these permissions that the actor has. Refuses if they have none. */
function requireOneOf({ permissions, token }: OrgActor, accepted: readonly [Permission, ...Permission[]]): Permission {
  const found = accepted.find((permission) => permissions.includes(permission));
  if (found) return found;
  throw new Refused(token ? { code: 'token_scope', permission: accepted[0] } : { code: 'forbidden' });
}

type Asked = {
  actor: OrgActor;
  row: RunRow;
  /** The database's time, in epoch milliseconds. */
  now: number;
  stepId: string;
  delegators: readonly Delegator[];
};

async function assertTakesFiles(tx: Tx, { actor, row, now, stepId, delegators }: Asked): Promise<void> {
  const step = row.steps.find(({ id }) => id === stepId);
  if (!step) throw new Refused({ code: 'unknown_step', stepId });
  const byStatus = refusalByStatus(row.state);
  if (byStatus) throw new Refused(byStatus);
  const takesFiles = step.type === 'manual' && (step.config.fields ?? []).some(({ kind }) => isFileKind(kind));
  if (!takesFiles || stepStateOf(row.state, stepId)?.state !== 'active')
    throw new Refused({ code: 'no_files_now', stepId });
  const asked = { actor, row, state: row.state, now, steps: [step] };
  const refusal = (await stepAccess(tx, asked)).refusalToAct(step, 'complete');
  if (!refusal) return;
  const delegated = await delegatedAccess(tx, delegators, asked);
  const isForOther = delegated.some(
    ({ access, isDelegated }) => isDelegated('tasks') && access.refusalToAct(step, 'complete') === null,
  );
  if (!isForOther) throw new Refused(refusal);
}

/**
 * Removes the path from a name. Replaces control characters, invisible characters, line separators and characters that
 * change the direction of text.
 */
const plainName = (name: string): string =>
  name
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, '_')
    .trim() || 'file';

/**
 * Refuses everyone except the person who began the upload, as if it didn't exist. This person, or their token, also
 * needs a permission to act on steps or, if the upload is for a note, to write notes.
 */
function ownUpload(tx: Tx, file: FileRow | undefined, actor: OrgActor): FileRow {
  if (file?.uploaded_by !== actor.userId) throw notFound();
  tx.needs(requireOneOf(actor, toUploadFor(file.step_id)));
  return file;
}

export const putChunk: Handler<'POST /api/files/{id}/chunks/{n}'> = ({ db }, { actor, params: { id, n }, body }) =>
  db.transaction(actor, async (tx) => {
    const { orgId } = actor;
    const file = ownUpload(tx, await tx.maybeOne(shareFile, { orgId, id }), actor);
    const length = chunkLength(file.size, n);
    if (length === 0 || body.length !== length)
      throw new Refused({ code: 'wrong_chunk', n, length, sent: body.length });
    // A chunk that is sent again after the completion changes nothing.
    if (file.media_type === null) fileStore.put(tx, { orgId, fileId: id }, n, body);
    return answer({ stored: n });
  });

/**
 * Completes an upload: reads its chunks one at a time, and compares their digest with the one that the client declared.
 * The row is locked, so a concurrent completion waits and then changes nothing. On each server, an organization
 * completes one upload at a time. If several were read at once, garbage collections couldn't free the texts of their
 * chunks in time.
 */
export const completeUpload: Handler<'POST /api/files/{id}/complete'> = (
  { db, digestQueue },
  { actor, params: { id } },
) =>
  digestQueue.at(actor.orgId, () =>
    db.transaction(actor, async (tx) => {
      const { orgId } = actor;
      const file = ownUpload(tx, await tx.maybeOne(lockFile, { orgId, id }), actor);
      if (file.media_type !== null) return answer(evidenceOf(file, file.media_type));
      const { mediaType, digest } = await digestOf(tx, orgId, file);
      if (digest !== file.sha256) throw new Refused({ code: 'wrong_digest', declared: file.sha256, received: digest });
      tx.write(saveCompletion, { orgId, id, mediaType });
      if (canHavePreview(mediaType)) enqueueJobs(tx, [previewJob(orgId, id)]);
      return answer(evidenceOf(file, mediaType));
    }),
  );

async function digestOf(tx: Tx, orgId: string, { id, size }: FileRow) {
  const hash = createHash('sha256');
  let mediaType = '';
  for (let n = 0; n < chunksOf(size); n += 1) {
    const length = chunkLength(size, n);
    const pieces = await fileStore.read(tx, { orgId, fileId: id }, n, { from: 0, length });
    if (lengthOf(pieces) !== length) throw new Refused({ code: 'chunk_missing', n });
    if (n === 0 && pieces[0]) mediaType = sniffMediaType(pieces[0]);
    for (const piece of pieces) {
      hash.update(piece);
      freeBuffer(piece);
    }
  }
  return { mediaType, digest: hash.digest('hex') };
}

export const evidenceOf = (
  { id: fileId, sha256, size, name }: Pick<FileRow, 'id' | 'sha256' | 'size' | 'name'>,
  mediaType: string,
): Evidence => ({ fileId, sha256, size, name, mediaType });

/**
 * Deletes an upload that no output or note names, and releases its space. With `keepReused`, an upload that was begun
 * more than once stays, because another form of the same person may contain it.
 */
export const deleteUpload: Handler<'DELETE /api/files/{id}'> = ({ db }, { actor, params: { id }, query }) =>
  db.transaction(actor, async (tx) => {
    const { orgId } = actor;
    const file = ownUpload(tx, await tx.maybeOne(lockFile, { orgId, id }), actor);
    if (file.activation !== null || file.note_id !== null)
      throw new Refused({ code: 'file_attached', name: file.name });
    if (query.keepReused && file.reused) return answer({ message: 'Not deleted, because it was begun more than once' });
    tx.write(deleteFile, { orgId, id });
    return answer({ message: 'Deleted' });
  });

export const readUsage: Handler<'GET /api/file-usage'> = async ({ db, config }, { actor }) => {
  const found = await db.transaction(actor, (tx) => tx.maybeOne(findUsage, { orgId: actor.orgId }));
  return answer({ bytes: found?.used ?? 0, quota: config.fileQuota });
};

/**
 * Media types that downloads declare, with the test for each. All other files are `application/octet-stream`, which
 * browsers don't render.
 */
const SIGNATURES: readonly (readonly [string, (bytes: Buffer) => boolean])[] = [
  ['image/jpeg', (bytes) => startsWith(bytes, 0, 'ffd8ff')],
  ['image/png', (bytes) => startsWith(bytes, 0, '89504e470d0a1a0a')],
  ['image/gif', (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))],
  ['image/webp', (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP'],
  ['image/heic', (bytes) => textAt(bytes, 4, 8) === 'ftyp' && /^(?:heic|heix|mif1|hevc)$/.test(textAt(bytes, 8, 12))],
  ['application/pdf', (bytes) => textAt(bytes, 0, 5) === '%PDF-'],
];

const textAt = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to);
const startsWith = (bytes: Buffer, at: number, hex: string): boolean =>
  bytes.toString('hex', at, at + hex.length / 2) === hex;

/**
 * Detects the media type of a file from its first bytes. Its name and declared type are ignored, because the uploader
 * chooses them.
 */
function sniffMediaType(first: Buffer): string {
  return SIGNATURES.find(([, is]) => is(first))?.[0] ?? 'application/octet-stream';
}
