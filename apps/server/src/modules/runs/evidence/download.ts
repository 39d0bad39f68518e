import { Readable } from 'node:stream';
import type { Handler } from '../../../http/handler.ts';
import type { OrgActor } from '../../../kernel/actor.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Tx } from '../../../kernel/database.ts';
import { FreedPieces } from '../../../kernel/freed-pieces.ts';
import { Refused } from '../../../kernel/refused.ts';
import { byteRange } from './byte-range.ts';
import { bytesOf } from './file-bytes.ts';
import { type FileRow, findFile, findPreview } from './files.sql.ts';
import { notFound } from './upload.ts';

/**
 * Returns a complete file that the actor can download. Until an output or a note names the file, it exists only for the
 * person who uploaded it. After that, it is part of its run.
 */
async function readableFile(
  tx: Tx,
  { orgId, userId }: OrgActor,
  id: string,
): Promise<FileRow & { media_type: string }> {
  const file = await tx.maybeOne(findFile, { orgId, id });
  if (!file?.media_type || (file.activation === null && file.note_id === null && file.uploaded_by !== userId))
    throw notFound();
  return { ...file, media_type: file.media_type };
}

const CONTENT_SECURITY_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Downloads a file or a part of it, always as an attachment that browsers don't display. */
export const downloadFile: Handler<'GET /api/files/{id}'> = async ({ db }, { actor, params: { id }, headers }) => {
  const file = await db.transaction(actor, (tx) => readableFile(tx, actor, id));
  const { name, size, sha256, media_type: mediaType } = file;
  const etag = `"${sha256}"`;
  const condition = headers['if-range'];
  const range = condition === undefined || condition === etag ? byteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') throw new Refused({ code: 'range_not_satisfiable', size });
  const { from, length } = range ?? { from: 0, length: size };
  const bytes = new FreedPieces(bytesOf(db, actor, id, { from, length }));
  const sent = {
    'content-type': mediaType,
    'content-length': String(length),
    'accept-ranges': 'bytes',
    etag,
    'content-disposition': `attachment; filename="file"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`,
    'content-security-policy': CONTENT_SECURITY_POLICY,
  };
  if (!range) return answer(bytes, sent);
  return {
    ...answer(bytes, { ...sent, 'content-range': `bytes ${from}-${from + length - 1}/${size}` }),
    status: 206,
  };
};

/**
 * Downloads the preview of a file, for everyone who can download the file. The preview is made after the upload. If
 * there is none, the response is empty instead of an error, because browsers log errors.
 */
export const downloadPreview: Handler<'GET /api/files/{id}/preview'> = async ({ db }, { actor, params: { id } }) => {
  const preview = await db.transaction(actor, async (tx) => {
    await readableFile(tx, actor, id);
    return tx.maybeOne(findPreview, { orgId: actor.orgId, id });
  });
  if (!preview?.bytes) return { ...answer(Buffer.alloc(0)), status: 204 };
  return answer(Readable.from([preview.bytes], { objectMode: false }), {
    'content-type': 'image/jpeg',
    'content-length': String(preview.bytes.length),
    'content-disposition': 'attachment; filename="preview.jpg"',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  });
};
