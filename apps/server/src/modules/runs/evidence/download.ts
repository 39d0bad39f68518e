import { Readable } from 'node:stream';
import { FILE_LIMITS } from '@stet/domain/steps';
import type { Handler } from '../../../http/handler.ts';
import type { OrgActor } from '../../../kernel/actor.ts';
import { answer } from '../../../kernel/answer.ts';
import type { Deps } from '../../../kernel/deps.ts';
import { Refused } from '../../../kernel/refused.ts';
import { type ByteRange, byteRange } from './byte-range.ts';
import { fileStore } from './file-store.ts';
import { findFile } from './files.sql.ts';
import { lengthOf, notFound } from './upload.ts';

/**
 * Downloads a file or a part of it, always as an attachment that browsers don't display. Until an output or a note
 * names the file, it exists only for the person who uploaded it. After that, it is part of its run.
 */
export const downloadFile: Handler<'GET /api/files/{id}'> = async ({ db }, { actor, params: { id }, headers }) => {
  const { orgId, userId } = actor;
  const file = await db.transaction(actor, (tx) => tx.maybeOne(findFile, { orgId, id }));
  if (!file?.media_type || (file.activation === null && file.note_id === null && file.uploaded_by !== userId))
    throw notFound();
  const { name, size, sha256, media_type: mediaType } = file;
  const etag = `"${sha256}"`;
  const condition = headers['if-range'];
  const range = condition === undefined || condition === etag ? byteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') throw new Refused({ code: 'range_not_satisfiable', size });
  const { from, length } = range ?? { from: 0, length: size };
  const bytes = Readable.from(bytesOf(db, actor, id, { from, length }), { objectMode: false, highWaterMark: 1 });
  const sent = {
    'content-type': mediaType,
    'content-length': String(length),
    'accept-ranges': 'bytes',
    etag,
    'content-disposition': `attachment; filename="file"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  };
  if (!range) return answer(bytes, sent);
  return {
    ...answer(bytes, { ...sent, 'content-range': `bytes ${from}-${from + length - 1}/${size}` }),
    status: 206,
  };
};

/** Reads each chunk in its own transaction, so that a slow client doesn't occupy a connection. */
async function* bytesOf(
  db: Deps['db'],
  actor: OrgActor,
  fileId: string,
  { from, length }: ByteRange,
): AsyncGenerator<Buffer> {
  const file = { orgId: actor.orgId, fileId };
  for (let at = from; at < from + length;) {
    const n = Math.floor(at / FILE_LIMITS.chunk);
    const part = {
      from: at % FILE_LIMITS.chunk,
      length: Math.min((n + 1) * FILE_LIMITS.chunk, from + length) - at,
    };
    const pieces = await db.transaction(actor, (tx) => fileStore.read(tx, file, n, part));
    if (lengthOf(pieces) !== part.length) throw new Error(`chunk ${n} of file ${fileId} is incomplete`);
    yield* pieces;
    at += part.length;
  }
}
