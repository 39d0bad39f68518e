import type { Evidence } from '@stet/domain/steps';
import type { OrgActor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../kernel/database.ts';
import { Refused } from '../../../kernel/refused.ts';
import { type FileRow, saveAttachmentsOfNote, lockFilesOfRun } from './files.sql.ts';
import { evidenceOf } from './upload.ts';

type Target = { actor: OrgActor; runId: string; ids: readonly string[] };

/** Reads and locks the files that a note names. Sends no query if there are none. */
export const lockFilesForNote = async (tx: Tx, { actor: { orgId }, runId, ids }: Target): Promise<FileRow[]> =>
  ids.length === 0 ? [] : tx.many(lockFilesOfRun, { orgId, runId, ids });

/**
 * Attaches locked files to a note and returns them as evidence, in the order of the note. Refuses with `not_found` if
 * the actor didn't upload a file, or if it wasn't uploaded for a note on this run. Also refuses files that are
 * incomplete or already attached to a note.
 */
export function attachFilesToNote(
  tx: Tx,
  { actor: { orgId, userId }, runId, ids }: Target,
  locked: readonly FileRow[],
  noteId: string,
): Evidence[] {
  const files = ids.map((id) => {
    const file = locked.find((each) => each.id === id);
    if (file?.uploaded_by !== userId || file.step_id !== null) throw new Refused({ code: 'not_found', what: 'file' });
    const { name, media_type: mediaType } = file;
    if (mediaType === null) throw new Refused({ code: 'file_incomplete', name });
    if (file.note_id !== null) throw new Refused({ code: 'file_used', name });
    return evidenceOf(file, mediaType);
  });
  if (ids.length > 0) tx.write(saveAttachmentsOfNote, { orgId, runId, ids, noteId });
  return files;
}
