import type { Evidence } from '@stet/domain/steps';
import type { OrgActor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../kernel/database.ts';
import { Refused } from '../../../kernel/refused.ts';
import { type FileRow, claimFilesForNote as saveClaim, lockFilesOfRun } from './files.sql.ts';
import { evidenceOf } from './upload.ts';

type Claim = { actor: OrgActor; runId: string; ids: readonly string[] };

/** Reads and locks the files that a note names. A note without files sends no statement. */
export const lockFilesForNote = async (tx: Tx, { actor: { orgId }, runId, ids }: Claim): Promise<FileRow[]> =>
  ids.length === 0 ? [] : tx.many(lockFilesOfRun, { orgId, runId, ids });

/**
 * Claims locked files for a note and returns what the server knows about them, in the order of the note. For everyone but
 * the person who uploaded it for a note on this run, a file doesn't exist. Refuses files that are incomplete or in a note.
 */
export function claimFilesForNote(
  tx: Tx,
  { actor: { orgId, userId }, runId, ids }: Claim,
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
  if (ids.length > 0) tx.write(saveClaim, { orgId, runId, ids, noteId });
  return files;
}
