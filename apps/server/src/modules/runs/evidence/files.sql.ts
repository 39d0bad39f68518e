import { z } from 'zod';
import { statement } from '../../../db/statement.ts';

const fileRow = z.object({
  id: z.uuid(),
  run_id: z.uuid(),
  /** Null for a file in a note. */
  step_id: z.string().nullable(),
  name: z.string(),
  size: z.number(),
  sha256: z.string(),
  uploaded_by: z.uuid(),
  media_type: z.string().nullable(),
  activation: z.number().nullable(),
  note_id: z.uuid().nullable(),
  /** True if the upload was begun more than once; several forms may then contain it. */
  reused: z.boolean(),
});
export type FileRow = z.output<typeof fileRow>;

const columns = `id, run_id, step_id, name, size, encode(sha256, 'hex') as sha256, uploaded_by, media_type, activation, note_id, reused`;

/** Releases the space of the files in `gone` and of their previews, which are still in the statement's snapshot. */
const RELEASE_SPACE = `update file_usage set bytes = bytes
           - (select coalesce(sum(size), 0) from gone)
           - (select coalesce(sum(length(p.bytes)), 0) from file_previews p join gone on p.file_id = gone.id where p.org_id = $1)
         where org_id = $1`;

export const findFile = statement({
  name: 'find_file',
  params: ['orgId', 'id'],
  row: fileRow,
  text: `select ${columns} from files where org_id = $1 and id = $2`,
});

/** Reads and locks a file, so that it can't be completed or removed while a chunk is stored. */
export const shareFile = statement({
  name: 'share_file',
  params: ['orgId', 'id'],
  row: fileRow,
  text: `select ${columns} from files where org_id = $1 and id = $2 for share`,
});

export const lockFile = statement({
  name: 'lock_file',
  params: ['orgId', 'id'],
  row: fileRow,
  text: `select ${columns} from files where org_id = $1 and id = $2 for update`,
});

/**
 * Finds an unused upload with the same content and name that this person has begun for the step or, without a step, for
 * a note on the run. Marks it as reused. Waits if it is being deleted, and then returns no row.
 */
export const reuseSameFile = statement({
  name: 'reuse_same_file',
  params: ['orgId', 'runId', 'stepId', 'userId', 'sha256', 'name', 'size'],
  row: z.object({ id: z.uuid(), chunks: z.custom<number[]>() }),
  text: `update files f set reused = true
         where f.org_id = $1 and f.activation is null and f.note_id is null and f.id = (
           select s.id from files s
           where s.org_id = $1 and s.run_id = $2 and s.step_id is not distinct from $3 and s.uploaded_by = $4 and s.sha256 = decode($5, 'hex') and s.name = $6
             and s.size = $7 and s.activation is null and s.note_id is null
           order by s.created_at limit 1
         )
         returning f.id, array(select c.n from file_chunks c where c.org_id = f.org_id and c.file_id = f.id order by c.n) as chunks`,
});

/** Reserves space. Returns no row if the organization's files would exceed the quota. */
export const reserveSpace = statement({
  name: 'reserve_file_space',
  params: ['orgId', 'size', 'quota'],
  row: z.object({ used: z.number() }),
  text: `insert into file_usage (org_id, bytes) select $1, $2::bigint where $2::bigint <= $3::bigint
         on conflict (org_id) do update set bytes = file_usage.bytes + excluded.bytes
           where file_usage.bytes + excluded.bytes <= $3::bigint
         returning bytes::float8 as used`,
});

export const findUsage = statement({
  name: 'find_file_usage',
  params: ['orgId'],
  row: z.object({ used: z.number() }),
  text: `select bytes::float8 as used from file_usage where org_id = $1`,
});

export const insertFile = statement({
  name: 'insert_file',
  params: ['orgId', 'id', 'runId', 'stepId', 'name', 'size', 'sha256', 'userId'],
  text: `insert into files (org_id, id, run_id, step_id, name, size, sha256, uploaded_by)
         values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)`,
});

export const saveChunk = statement({
  name: 'save_file_chunk',
  params: ['orgId', 'fileId', 'n', 'bytes'],
  text: `insert into file_chunks (org_id, file_id, n, bytes) values ($1, $2, $3, $4)
         on conflict (org_id, file_id, n) do update set bytes = excluded.bytes`,
});

/**
 * Reads a part of a chunk in pieces of 32 KiB, in order. A larger piece would need several times its size in memory as
 * text.
 */
export const listPieces = statement({
  name: 'list_file_pieces',
  params: ['orgId', 'fileId', 'n', 'from', 'length'],
  row: z.object({ bytes: z.instanceof(Buffer) }),
  text: `select substring(c.bytes from at + 1 for least(32768, $4::int + $5::int - at)) as bytes
         from file_chunks c, generate_series($4::int, least($4::int + $5::int, length(c.bytes)) - 1, 32768) at
         where c.org_id = $1 and c.file_id = $2 and c.n = $3 order by at`,
});

export const findPreview = statement({
  name: 'find_file_preview',
  params: ['orgId', 'id'],
  row: z.object({ bytes: z.instanceof(Buffer).nullable() }),
  text: `select bytes from file_previews where org_id = $1 and file_id = $2`,
});

/** Stores a file's preview, or that it has none, and adds its size to the space in use. */
export const savePreview = statement({
  name: 'save_file_preview',
  params: ['orgId', 'id', 'bytes'],
  text: `with made as (
           insert into file_previews (org_id, file_id, bytes)
           select org_id, id, $3::bytea from files where org_id = $1 and id = $2 for key share
           on conflict (org_id, file_id) do nothing
           returning coalesce(length(bytes), 0) as size
         )
         update file_usage set bytes = bytes + (select coalesce(sum(size), 0) from made) where org_id = $1`,
});

/** Deletes an upload that no output or note names, with its preview, and releases their space. */
export const deleteFile = statement({
  name: 'delete_file',
  params: ['orgId', 'id'],
  text: `with gone as (
           delete from files where org_id = $1 and id = $2 and activation is null and note_id is null returning id, size
         )
         ${RELEASE_SPACE}`,
});

export const completeFile = statement({
  name: 'complete_file',
  params: ['orgId', 'id', 'mediaType'],
  text: `update files set media_type = $3 where org_id = $1 and id = $2`,
});

/** Reads and locks the files that a step's input or a note names. The caller must have locked the run or its notes. */
export const lockFilesOfRun = statement({
  name: 'lock_files_of_run',
  params: ['orgId', 'runId', 'ids'],
  row: fileRow,
  text: `select ${columns} from files where org_id = $1 and run_id = $2 and id = any ($3::uuid[]) order by id for update`,
});

/** Attaches files to an activation. A file that an earlier activation of the step named stays attached to that one. */
export const saveAttachments = statement({
  name: 'save_attachments',
  params: ['orgId', 'runId', 'ids', 'activation'],
  text: `update files set activation = $4 where org_id = $1 and run_id = $2 and id = any ($3::uuid[]) and activation is null`,
});

export const saveAttachmentsOfNote = statement({
  name: 'save_attachments_of_note',
  params: ['orgId', 'runId', 'ids', 'noteId'],
  text: `update files set note_id = $4 where org_id = $1 and run_id = $2 and id = any ($3::uuid[])`,
});

export const listOrganizationsWithStaleUploads = statement({
  name: 'list_organizations_with_stale_uploads',
  params: ['unfinishedHours', 'unusedDays'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from organizations_with_stale_uploads($1::float8, $2::float8) org_id`,
});

/** Deletes stale uploads of the organization, with their previews, and releases their space. */
export const deleteStaleUploads = statement({
  name: 'delete_stale_uploads',
  params: ['orgId', 'unfinishedHours', 'unusedDays'],
  text: `with gone as (
           delete from files
           where org_id = $1 and activation is null and note_id is null
             and created_at < now() - case when media_type is null then $2::float8 * interval '1 hour' else $3::float8 * interval '1 day' end
           returning id, size
         )
         ${RELEASE_SPACE}`,
});
