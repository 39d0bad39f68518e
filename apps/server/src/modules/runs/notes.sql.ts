import { MAX_NOTES } from '@stet/contract';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

/** Number of latest notes in a thread whose authors are notified of a new note. */
const LATEST_NOTES = 50;

// A note is stored only as its audit event. The payload is canonical JSON, in which this text can't occur inside a
// string.
const isInThread = (needle: string): string => `position('"stepId":' || ${needle} in payload) > 0`;

/** Returns the thread as JSON, as it appears in payloads: the id of its step, or null for the whole run. */
export const threadOf = (stepId: string | null): string => JSON.stringify(stepId);

/**
 * The notes on a run, newest first. If `thread` isn't null, only the notes of that thread. Erased notes, which have no
 * payload, are left out.
 */
export const listNotes = statement({
  name: 'list_notes',
  params: ['orgId', 'runId', 'thread', 'before', 'limit'],
  row: z.object({ seq: z.number(), payload: z.string() }),
  text: `select seq, payload from audit_events
         where org_id = $1 and run_id = $2 and action = 'note.added' and payload is not null
           and ($4::bigint is null or seq < $4) and ($3::text is null or ${isInThread('$3')})
         order by seq desc limit $5`,
});

/**
 * Waits until no other transaction is adding a note to this run, so that no two of them count the same number of notes.
 * Doesn't lock the run, because notes must not delay actions. The notes must be read in a later statement.
 */
export const lockNotes = statement({
  name: 'lock_notes',
  params: ['runId'],
  row: z.object({ locked: z.string() }),
  text: `select pg_advisory_xact_lock(hashtextextended('notes of ' || $1::uuid, 0))::text as locked`,
});

/** Returns a row if the run exists. */
export const findNotedRun = statement({
  name: 'find_noted_run',
  params: ['orgId', 'runId'],
  row: z.object({ id: z.uuid() }),
  text: `select id from runs where org_id = $1 and id = $2`,
});

/**
 * Finds the data that a new note depends on: the run's name, the title of the step (null if the run has no such step),
 * the number of notes up to the limit, and the authors of the latest notes in the thread.
 */
export const findThread = statement({
  name: 'find_note_thread',
  params: ['orgId', 'runId', 'stepId', 'thread'],
  row: z.object({
    run_name: z.string(),
    step_title: z.string().nullable(),
    notes: z.number(),
    authors: z.custom<string[]>(),
  }),
  text: `select r.name as run_name,
                (select step ->> 'title' from json_array_elements(v.steps) step where step ->> 'id' = $3) as step_title,
                (select count(*)::int from (
                   select from audit_events where org_id = $1 and run_id = $2 and action = 'note.added' limit ${MAX_NOTES}
                 ) note) as notes,
                array(select distinct coalesce(note.payload::jsonb #>> '{actor,personId}', note.actor) from (
                  select payload, actor from audit_events
                  where org_id = $1 and run_id = $2 and action = 'note.added' and ${isInThread('$4')}
                  order by seq desc limit ${LATEST_NOTES}
                ) note) as authors
         from runs r join workflow_versions v on v.org_id = r.org_id and v.id = r.version_id
         where r.org_id = $1 and r.id = $2`,
});
