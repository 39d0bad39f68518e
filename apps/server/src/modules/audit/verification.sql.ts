import type { FindingKind } from '@stet/domain/audit';
import { z } from 'zod';
import { statement } from '../../db/statement.ts';

const verificationRow = z.object({
  id: z.uuid(),
  state: z.enum(['running', 'ok', 'broken']),
  is_stuck: z.boolean(),
  started_at: z.date(),
  updated_at: z.date(),
  done: z.number(),
  total: z.number(),
  first_bad_seq: z.number().nullable(),
  problem: z.custom<FindingKind | null>(),
  detail: z.string().nullable(),
  is_broken: z.boolean(),
  progress: z.string().nullable(),
  whole: z.string().nullable(),
});
export type VerificationRow = z.output<typeof verificationRow>;

/** True if a verification has made no progress for so long that its process must have died. */
const STUCK = `(state = 'running' and updated_at < clock_timestamp() - interval '1 minute')`;

export const findVerification = statement({
  name: 'find_audit_verification',
  params: ['orgId'],
  row: verificationRow,
  text: `select id, state, ${STUCK} as is_stuck, started_at, updated_at, done, total, first_bad_seq, problem,
                detail, is_broken, progress, whole
         from audit_verifications where org_id = $1`,
});

/**
 * Finds an organization whose trail hasn't been verified since the given time. Returns no row if all trails have been.
 */
export const findNextUnverified = statement({
  name: 'find_next_unverified_trail',
  params: ['since'],
  row: z.object({ org_id: z.uuid() }),
  text: `select org_id from next_unverified_trail($1)`,
});

/**
 * Starts a verification. Returns no row if one is already running and isn't stuck. The previous finding stays until
 * this verification ends.
 */
export const beginVerification = statement({
  name: 'begin_audit_verification',
  params: ['orgId', 'id'],
  row: z.object({ id: z.uuid() }),
  text: `insert into audit_verifications as v (org_id, id, state, total)
         values ($1, $2, 'running', coalesce((select seq from audit_heads where org_id = $1), 0))
         on conflict (org_id) do update
         set id = excluded.id, state = 'running', total = excluded.total, done = 0, progress = null, started_at = clock_timestamp(), updated_at = clock_timestamp()
         where v.state <> 'running' or v.updated_at < clock_timestamp() - interval '1 minute'
         returning id`,
});

/** Saves the progress of a verification. Returns no row if another verification has replaced it. */
export const storeProgress = statement({
  name: 'store_verification_progress',
  params: ['orgId', 'id', 'done', 'total', 'progress'],
  row: z.object({ id: z.uuid() }),
  text: `update audit_verifications set done = $3, total = $4, progress = $5, updated_at = clock_timestamp()
         where org_id = $1 and id = $2 and state = 'running' returning id`,
});

export const endVerification = statement({
  name: 'end_verification',
  params: ['orgId', 'id', 'firstBadSeq', 'problem', 'detail', 'whole'],
  text: `update audit_verifications
         set state = case when $4::text is null then 'ok' else 'broken' end, first_bad_seq = $3, problem = $4, detail = $5,
             is_broken = $4::text is not null, whole = coalesce($6, whole), progress = null,
             ended_at = clock_timestamp(), updated_at = clock_timestamp()
         where org_id = $1 and id = $2 and state = 'running'`,
});

/**
 * Saves a finding from sealing or exporting a trail, unless a verification of the whole trail is running or a problem
 * is already stored.
 */
export const saveBrokenTrail = statement({
  name: 'save_broken_trail',
  params: ['orgId', 'id', 'firstBadSeq', 'problem'],
  text: `insert into audit_verifications as v (org_id, id, state, total, first_bad_seq, problem, is_broken)
         values ($1, $2, 'broken', coalesce((select seq from audit_heads where org_id = $1), 0), $3, $4, true)
         on conflict (org_id) do update
         set id = excluded.id, state = 'broken', is_broken = true, detail = null, first_bad_seq = excluded.first_bad_seq, problem = excluded.problem,
             updated_at = clock_timestamp()
         where v.state <> 'running' and not v.is_broken`,
});
