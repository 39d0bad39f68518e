import { type AuditEvent, verifyChain } from '@stet/domain/audit';
import type { TestServer } from './server.ts';

type Row = {
  seq: number;
  at: string;
  actor: string;
  action: string;
  subject_type: string;
  subject_id: string;
  run_id: string | null;
  payload: string | null;
  salt: Buffer | null;
  digest: Buffer;
  prev: Buffer;
  hash: Buffer;
  mac: Buffer;
  made_at: string;
};

/** The audit trail of an organization as stored, in order. */
export async function trailOf({ sql }: TestServer, orgId: string): Promise<AuditEvent[]> {
  const rows = await sql<Row>(
    `select seq::int as seq, (extract(epoch from at) * 1000000)::bigint::text as at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash,
            mac, (extract(epoch from made_at) * 1000000)::bigint::text as made_at
     from audit_events where org_id = $1 order by seq`,
    [orgId],
  );
  return rows.map(({ at, subject_type, subject_id, run_id, mac, made_at, ...row }) => ({
    ...row,
    mac: { madeAt: BigInt(made_at), bytes: mac },
    orgId,
    at: BigInt(at),
    subjectType: subject_type,
    subjectId: subject_id,
    runId: run_id,
  }));
}

export const verdictOf = async (server: TestServer, orgId: string) => verifyChain(await trailOf(server, orgId));
