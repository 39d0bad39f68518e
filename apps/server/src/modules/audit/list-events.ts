import type { AuditEventView } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';
import type { Handler } from '../../http/handler.ts';
import { answer } from '../../kernel/answer.ts';
import { Refused } from '../../kernel/refused.ts';
import { findAuditRange } from './proof.sql.ts';

/**
 * Maximum number of events searched for one page. If the page isn't full after that many, the next page continues from
 * there.
 */
const WINDOW = 10_000;

const listedRow = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  run_id: z.uuid().nullable(),
  run_name: z.string().nullable(),
  payload: z.string().nullable(),
  prev: z.string(),
  hash: z.string(),
});
type ListedRow = z.output<typeof listedRow>;

/** The events with numbers from `from` to `to`, newest first. Filters that are null are ignored. */
const listAuditEvents = statement({
  name: 'list_audit_events',
  params: [
    'orgId',
    'from',
    'to',
    'limit',
    'actor',
    'action',
    'subjectType',
    'subjectId',
    'inPayload',
    'runId',
    'key',
    'inName',
  ],
  row: listedRow,
  text: `select e.seq, to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, e.actor, e.action, e.subject_type,
                e.subject_id, e.run_id, r.name as run_name, e.payload, encode(e.prev, 'hex') as prev, encode(e.hash, 'hex') as hash
         from audit_events e left join runs r on r.org_id = e.org_id and r.id = e.run_id
         where e.org_id = $1 and e.seq between $2 and $3
           and ($5::text is null or e.actor = $5)
           and ($6::text is null or e.action = $6)
           and ($7::text is null or e.subject_type = $7)
           and ($8::text is null or e.subject_id = $8)
           and ($9::text is null or e.payload ilike '%' || $9 || '%' or r.name ilike '%' || $12 || '%')
           and ($10::uuid is null or e.run_id = $10)
           and ($11::text is null or r.workflow_key = $11 or (e.subject_type = 'workflow' and e.subject_id = $11)
                or position('"key":' || to_json($11::text)::text in e.payload) > 0)
         order by e.seq desc limit $4`,
});

const listStepTitles = statement({
  name: 'list_step_titles',
  params: ['orgId', 'runIds'],
  row: z.object({ run_id: z.uuid(), step_id: z.string(), title: z.string() }),
  text: `select run_id, step_id, title from run_steps where org_id = $1 and run_id = any ($2::uuid[])`,
});

const listSubjectNames = statement({
  name: 'list_subject_names',
  params: ['ids'],
  row: z.object({ id: z.uuid(), name: z.string() }),
  text: `select id, name from users where id = any ($1::uuid[])`,
});

const listWorkflowTitles = statement({
  name: 'list_workflow_titles',
  params: ['orgId', 'keys'],
  row: z.object({ key: z.string(), title: z.string() }),
  text: `select key, title from workflows where org_id = $1 and key = any ($2::text[])`,
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A page of the trail, newest first. The next page starts below the number in the cursor. */
export const listAuditPage: Handler<'GET /api/audit/events'> = async ({ db }, { actor, query }) => {
  const { orgId } = actor;
  const before = query.cursor === undefined ? null : readCursor(query.cursor);
  const { rows, titles, names, from, first } = await db.transaction(actor, async (tx) => {
    const range = await tx.maybeOne(findAuditRange, { orgId, from: query.from ?? null, to: query.to ?? null });
    const last = Math.min(range?.last ?? 0, (before ?? Infinity) - 1);
    const lowest = range?.first ?? 1;
    const start = Math.max(lowest, last - WINDOW + 1);
    if (!range || last < start) return { rows: [], titles: [], names: [], from: lowest, first: lowest };
    const found = await tx.many(listAuditEvents, {
      orgId,
      from: start,
      to: last,
      limit: query.limit + 1,
      actor: query.actor ?? null,
      action: query.action ?? null,
      subjectType: query.subject ?? null,
      subjectId: query.subjectId ?? null,
      runId: query.runId ?? null,
      key: query.key ?? null,
      inPayload: query.q === undefined ? null : asPattern(JSON.stringify(query.q).slice(1, -1)),
      inName: query.q === undefined ? null : asPattern(query.q),
    });
    const runIds = [...new Set(found.flatMap(({ run_id }) => run_id ?? []))];
    // Old events may contain only the id of the person that they concern.
    const people = [
      ...new Set(
        found.flatMap(({ subject_type, subject_id }) =>
          subject_type === 'user' && UUID.test(subject_id) ? subject_id : [],
        ),
      ),
    ];
    const keys = [...new Set(found.flatMap((row) => keyOf(row, recordOf(row.payload)) ?? []))];
    const [steps, called, workflows] = await Promise.all([
      runIds.length > 0 ? tx.many(listStepTitles, { orgId, runIds }) : [],
      people.length > 0 ? tx.many(listSubjectNames, { ids: people }) : [],
      keys.length > 0 ? tx.many(listWorkflowTitles, { orgId, keys }) : [],
    ]);
    const known = [
      ...called.map(({ id, name }) => [id, name] as const),
      ...workflows.map(({ key, title }) => [key, title] as const),
    ];
    return { rows: found, titles: steps, names: known, from: start, first: lowest };
  });
  const page = rows.slice(0, query.limit);
  const titleOf = new Map(titles.map(({ run_id, step_id, title }) => [`${run_id} ${step_id}`, title]));
  const nameOf = new Map(names);
  const next = rows.length > query.limit ? page.at(-1)?.seq : from > first ? from : undefined;
  return answer(
    page.map((row) => presentEvent(row, titleOf, nameOf)),
    next === undefined ? {} : { 'x-next-cursor': String(next) },
  );
};

function readCursor(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new Refused({ code: 'invalid', problems: [{ field: 'cursor', problem: 'is not a cursor for this list' }] });
}

/** Escapes the characters that have a meaning in `ilike`. */
const asPattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

function presentEvent(
  row: ListedRow,
  titleOf: ReadonlyMap<string, string>,
  nameOf: ReadonlyMap<string, string>,
): AuditEventView {
  const record = recordOf(row.payload);
  const stepId = typeof record?.data?.stepId === 'string' ? record.data.stepId : null;
  const { actor } = record ?? {};
  return {
    seq: row.seq,
    at: row.at,
    actor: {
      id: row.actor,
      name: actor?.name ?? row.actor,
      email: actor?.email || null,
      kind: actor?.kind ?? 'user',
      ...(actor?.onBehalfOf && { onBehalfOf: actor.onBehalfOf }),
    },
    action: row.action,
    subject: {
      type: row.subject_type,
      id: row.subject_id,
      name: nameOf.get(keyOf(row, record) ?? row.subject_id) ?? null,
    },
    run: row.run_id === null ? null : { id: row.run_id, name: row.run_name },
    step: stepId === null ? null : { id: stepId, title: titleOf.get(`${row.run_id} ${stepId}`) ?? null },
    sessionId: record?.sessionId ?? null,
    data: record?.data ?? null,
    isErased: row.payload === null,
    prev: row.prev,
    hash: row.hash,
  };
}

/** The key of the workflow that an event is about. Null for other subjects. */
function keyOf({ subject_type, subject_id }: ListedRow, record: AuditRecord | null): string | null {
  if (subject_type !== 'workflow' && subject_type !== 'version') return null;
  const key = record?.data?.['key'];
  if (typeof key === 'string') return key;
  return subject_type === 'workflow' ? subject_id : null;
}

/** The recorded event, or null if it was erased or corrupted. */
function recordOf(payload: string | null): AuditRecord | null {
  try {
    const value: unknown = payload === null ? null : JSON.parse(payload);
    const hasActor = typeof value === 'object' && value !== null && 'actor' in value && typeof value.actor === 'object';
    return hasActor ? (value as AuditRecord) : null;
  } catch {
    return null;
  }
}
