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
});
export type VerificationRow = z.output<typeof verificationRow>;

/** A verification that says nothing for this long has lost its process. */
const STUCK = `(state = 'running' and updated_at < clock_timestamp() - interval '1 minute')`;

export const findVerification = statement({
  name: 'find_audit_verification',
  params: ['orgId'],
  row: verificationRow,
  text: `select id, state, ${STUCK} as is_stuck, started_at, updated_at, done, total, first_bad_seq, problem
         from audit_verifications where org_id = $1`,
});

/** Begins a verification; no row where one is under way. */
export const beginVerification = statement({
  name: 'begin_audit_verification',
  params: ['orgId', 'id'],
  row: z.object({ id: z.uuid() }),
  text: `insert into audit_verifications as v (org_id, id, state, total)
         values ($1, $2, 'running', coalesce((select seq from audit_heads where org_id = $1), 0))
         on conflict (org_id) do update
         set id = excluded.id, state = 'running', total = excluded.total, done = 0, first_bad_seq = null, problem = null,
             started_at = clock_timestamp(), updated_at = clock_timestamp()
         where v.state <> 'running' or v.updated_at < clock_timestamp() - interval '1 minute'
         returning id`,
});

/** Says how far a verification is; no row where another one took its place. */
export const keepProgress = statement({
  name: 'keep_verification_progress',
  params: ['orgId', 'id', 'done', 'total'],
  row: z.object({ id: z.uuid() }),
  text: `update audit_verifications set done = $3, total = $4, updated_at = clock_timestamp()
         where org_id = $1 and id = $2 and state = 'running' returning id`,
});

export const endVerification = statement({
  name: 'end_verification',
  params: ['orgId', 'id', 'state', 'firstBadSeq', 'problem'],
  text: `update audit_verifications
         set state = $3, first_bad_seq = $4, problem = $5, updated_at = clock_timestamp()
         where org_id = $1 and id = $2 and state = 'running'`,
});

/** What the making of a checkpoint found out, which nobody asked for. */
export const keepBrokenTrail = statement({
  name: 'keep_broken_trail',
  params: ['orgId', 'id', 'firstBadSeq', 'problem'],
  text: `insert into audit_verifications as v (org_id, id, state, total, first_bad_seq, problem)
         values ($1, $2, 'broken', coalesce((select seq from audit_heads where org_id = $1), 0), $3, $4)
         on conflict (org_id) do update
         set id = excluded.id, state = 'broken', first_bad_seq = excluded.first_bad_seq, problem = excluded.problem,
             updated_at = clock_timestamp()
         where v.state <> 'running'`,
});
