import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const bytes = z.custom<Buffer>();
const micros = `(extract(epoch from at) * 1000000)::bigint as at`;

export const findUnsealedOrganizations = statement({
  name: 'find_unsealed_organizations',
  params: [],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from unsealed_organizations()`,
});

export const listTrailSizes = statement({
  name: 'list_trail_sizes',
  params: [],
  row: z.object({ org_id: z.uuid(), size: z.number() }),
  text: `select org_id, size from audit_trail_sizes()`,
});

/** If an organization's end has passed, postpones it by 30 days. */
export const postponeEnd = statement({
  name: 'postpone_end',
  params: ['orgId'],
  text: `select from postpone_end($1)`,
});

const headRow = z.object({ seq: z.number(), hash: bytes, org_name: z.string(), now: z.date() });

/** An organization's chain head, and the database's time. Returns no row before the first event. */
export const findAuditHead = statement({
  name: 'find_audit_head',
  params: ['orgId'],
  row: headRow,
  text: `select h.seq, h.hash, o.name as org_name, clock_timestamp() as now
         from audit_heads h join organizations o on o.id = h.org_id where h.org_id = $1`,
});

const checkpointRow = z.object({ size: z.number(), at: z.date(), root: bytes, peaks: bytes, note: z.string() });
export type CheckpointRow = z.output<typeof checkpointRow>;
const checkpointColumns = 'size, at, root, peaks, note';

/** Finds the largest checkpoint over at most `size` events or, if `size` is null, over any number of events. */
export const findCheckpointUpTo = statement({
  name: 'find_checkpoint_up_to',
  params: ['orgId', 'size'],
  row: checkpointRow,
  text: `select ${checkpointColumns} from audit_checkpoints
         where org_id = $1 and ($2::bigint is null or size <= $2) order by size desc limit 1`,
});

/** Finds the smallest checkpoint over at least `size` events. */
export const findCheckpointFrom = statement({
  name: 'find_checkpoint_from',
  params: ['orgId', 'size'],
  row: checkpointRow,
  text: `select ${checkpointColumns} from audit_checkpoints where org_id = $1 and size >= $2 order by size limit 1`,
});

/** Finds the smallest checkpoint over at least `size` events with a signature line that starts with `signature`. */
export const findCheckpointSignedBy = statement({
  name: 'find_checkpoint_signed_by',
  params: ['orgId', 'size', 'signature'],
  row: checkpointRow,
  text: `select ${checkpointColumns} from audit_checkpoints
         where org_id = $1 and size >= $2 and strpos(note, $3) > 0 order by size limit 1`,
});

/** Lists the newest checkpoints with sizes in this range (inclusive), newest first. */
export const listCheckpointNotes = statement({
  name: 'list_checkpoint_notes',
  params: ['orgId', 'from', 'to', 'limit'],
  row: z.object({ note: z.string() }),
  text: `select note from audit_checkpoints where org_id = $1 and size between $2 and $3 order by size desc limit $4`,
});

/**
 * Lists checkpoints with sizes greater than `after` and at most `to`, smallest first: those with a signature line that
 * starts with `signature`, and the one of size `to`.
 */
export const listCheckpointsAfter = statement({
  name: 'list_checkpoints_after',
  params: ['orgId', 'after', 'to', 'signature', 'limit'],
  row: z.object({ size: z.number(), note: z.string() }),
  text: `select size, note from audit_checkpoints
         where org_id = $1 and size > $2 and size <= $3 and (size = $3 or strpos(note, $4) > 0) order by size limit $5`,
});

/**
 * If another server has already inserted a checkpoint of this size, does nothing, because that one covers the same
 * events.
 */
export const insertCheckpoint = statement({
  name: 'insert_checkpoint',
  params: ['orgId', 'size', 'at', 'root', 'head', 'peaks', 'note'],
  text: `insert into audit_checkpoints (org_id, size, at, root, head, peaks, note)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (org_id, size) do nothing`,
});

const storedRow = z.object({
  seq: z.number(),
  at: z.number(),
  actor: z.string(),
  action: z.string(),
  subject_type: z.string(),
  subject_id: z.string(),
  run_id: z.uuid().nullable(),
  payload: z.string().nullable(),
  salt: bytes.nullable(),
  digest: bytes,
  prev: bytes,
  hash: bytes,
  mac: bytes.nullable(),
  made_at: z.number().nullable(),
});
export type StoredEventRow = z.output<typeof storedRow>;

/** Lists stored events by number, from `from` to `to` inclusive. If a run is given, lists only its events. */
export const listStoredEvents = statement({
  name: 'list_stored_events',
  params: ['orgId', 'from', 'to', 'runId'],
  row: storedRow,
  text: `select seq, ${micros}, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash,
                mac, (extract(epoch from made_at) * 1000000)::bigint as made_at
         from audit_events where org_id = $1 and seq between $2 and $3 and ($4::uuid is null or run_id = $4) order by seq`,
});

/**
 * Lists the events of a version, and the events that made other versions of its workflow live or archived the workflow,
 * up to the number `last`.
 */
export const listVersionEvents = statement({
  name: 'list_version_events',
  params: ['orgId', 'workflowId', 'versionId', 'last'],
  row: storedRow,
  text: `select seq, ${micros}, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash,
                mac, (extract(epoch from made_at) * 1000000)::bigint as made_at
         from audit_events
         where org_id = $1 and seq <= $4 and subject_type in ('version', 'workflow')
           and subject_id = any (array(select v.id::text from workflow_versions v where v.org_id = $1 and v.workflow_id = $2::uuid) || $2::text)
           and (subject_id = $3::text or action in ('draft.merged', 'version.rolled_back', 'workflow.archived'))
         order by seq`,
});

export const listEventHashes = statement({
  name: 'list_event_hashes',
  params: ['orgId', 'from', 'to'],
  row: z.object({ seq: z.number(), hash: bytes }),
  text: `select seq, hash from audit_events where org_id = $1 and seq between $2 and $3 order by seq`,
});

/**
 * Finds the numbers of the first and last event in a period (inclusive). If there are no events, `first` is greater
 * than `last`. An open bound is null.
 */
export const findAuditRange = statement({
  name: 'find_audit_range',
  params: ['orgId', 'from', 'to'],
  row: z.object({ first: z.number(), last: z.number(), head_seq: z.number() }),
  text: `select case when $2::timestamptz is null then 1 else audit_seq_at($1, $2) end as first,
                case when $3::timestamptz is null then h.seq else audit_seq_at($1, $3::timestamptz + interval '1 microsecond') - 1 end as last,
                h.seq as head_seq
         from audit_heads h where h.org_id = $1`,
});

/** The number of a run's events in this range, and the sequence numbers of the first and last one. */
export const measureRunEvents = statement({
  name: 'measure_run_events',
  params: ['orgId', 'runId', 'from', 'to'],
  row: z.object({ events: z.number(), first: z.number().nullable(), last: z.number().nullable() }),
  text: `select count(*) as events, min(seq) as first, max(seq) as last
         from audit_events where org_id = $1 and run_id = $2 and seq between $3 and $4`,
});

export const findRunName = statement({
  name: 'find_run_name',
  params: ['orgId', 'runId'],
  row: z.object({ name: z.string() }),
  text: `select name from runs where org_id = $1 and id = $2`,
});
