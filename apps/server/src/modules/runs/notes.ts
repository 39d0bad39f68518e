import { type HistoryEntry, MAX_NOTES, type Note } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import { type Mention, mentionsIn } from '@stet/domain/notifications';
import type { Evidence } from '@stet/domain/steps';
import type { Handler } from '../../http/handler.ts';
import { auditActor } from '../../kernel/actor.ts';
import { answer } from '../../kernel/answer.ts';
import { newId } from '../../kernel/ids.ts';
import { Refused } from '../../kernel/refused.ts';
import { appendAudit } from '../audit/index.ts';
import { mentionablePeople } from '../organizations/index.ts';
import { presentActor } from './actor.presenter.ts';
import { attachFilesToNote, lockFilesForNote } from './evidence/attach-files-to-note.ts';
import { findNotedRun, findThread, listNotes, lockNotes, threadOf } from './notes.sql.ts';
import { readClock } from './runs.sql.ts';

/** The data of a `note.added` event. `at` is the database's time in epoch milliseconds. */
type NoteData = {
  noteId: string;
  stepId: string | null;
  text: string;
  mentions: Mention[];
  at: number;
  /** Absent if the note has no files, and in notes written before notes could have files. */
  files?: Evidence[];
};
type NoteRecord = Pick<AuditRecord, 'actor' | 'data'>;

/** Maximum number of characters of a note in the run's history. The list of notes has the whole text. */
const IN_HISTORY = 300;

/** A page of the notes on a run or on one of its steps, newest first. The cursor is the number of the last event. */
export const listNotesPage: Handler<'GET /api/runs/{id}/notes'> = ({ db }, { actor, params, query }) =>
  db.transaction(actor, async (tx) => {
    const at = { orgId: actor.orgId, runId: params.id };
    const [run, rows] = await Promise.all([
      tx.maybeOne(findNotedRun, at),
      tx.many(listNotes, {
        ...at,
        thread: query.stepId === undefined ? null : threadOf(query.stepId),
        before: query.cursor ?? null,
        limit: query.limit + 1,
      }),
    ]);
    if (!run) throw new Refused({ code: 'not_found', what: 'run' });
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return answer(
      page.map(({ payload }) => presentNote(JSON.parse(payload) as NoteRecord)),
      last && rows.length > page.length ? { 'x-next-cursor': String(last.seq) } : {},
    );
  });

/**
 * Adds a note to a run or one of its steps, whatever their state. The run isn't locked and its revision doesn't change,
 * so a note never causes a concurrent decision to be refused.
 */
export const addNote: Handler<'POST /api/runs/{id}/notes'> = ({ db }, { actor, params, body, once }) =>
  db.changeOnce(actor, once, async (tx) => {
    const { orgId } = actor;
    const { text, stepId = null, files: ids = [] } = body;
    const target = { actor, runId: params.id, ids };
    const [, thread, clock, people, locked] = await Promise.all([
      tx.maybeOne(lockNotes, { runId: params.id }),
      tx.maybeOne(findThread, { orgId, runId: params.id, stepId, thread: threadOf(stepId) }),
      tx.maybeOne(readClock, {}),
      mentionablePeople(tx, orgId, text),
      lockFilesForNote(tx, target),
    ]);
    if (!thread || !clock) throw new Refused({ code: 'not_found', what: 'run' });
    if (stepId !== null && thread.step_title === null)
      throw new Refused({ code: 'invalid', problems: [{ field: 'stepId', problem: 'is not a step of this run' }] });
    if (thread.notes >= MAX_NOTES) throw new Refused({ code: 'too_many_notes', most: MAX_NOTES });
    const mentions = mentionsIn(text, people);
    const noteId = newId();
    const files = attachFilesToNote(tx, target, locked, noteId);
    const event = {
      ...auditActor(actor),
      action: 'note.added' as const,
      subject: { type: 'run' as const, id: params.id },
      runId: params.id,
      data: {
        noteId,
        stepId,
        text,
        mentions,
        at: clock.now,
        ...(files.length > 0 && { files }),
      } satisfies NoteData,
    };
    const comment = { text, mentions: mentions.map(({ userId }) => userId) };
    const { run_name: runName, step_title: stepTitle, authors } = thread;
    appendAudit(tx, [{ ...event, context: { runName, stepTitle, comment, authors } }]);
    return answer(presentNote(event));
  });

function presentNote({ actor, data }: NoteRecord): Note {
  const { noteId, stepId, text, mentions, at, files = [] } = data as NoteData;
  return { id: noteId, author: presentActor(actor), text, mentions, stepId, files, at: new Date(at).toISOString() };
}

/** Returns a note as an entry in the run's history. Cuts long texts. */
export function historyOfNote(record: NoteRecord): HistoryEntry {
  const { stepId, author, at, files, text: whole } = presentNote(record);
  const characters = Array.from(whole.slice(0, 2 * IN_HISTORY));
  const isCut = characters.length > IN_HISTORY;
  const text = isCut ? `${characters.slice(0, IN_HISTORY).join('')}…` : whole;
  return { stepId, action: 'noted', at, actor: author, data: { text, ...(files.length > 0 && { files }) } };
}
