import { type Connection, openPool, ownerClient } from '../../db/pool.ts';
import { refusalOf } from '../../db/refusal-of.ts';
import { openDatabase } from '../../db/transaction.ts';
import { openAuditSigner } from '../../kernel/audit-signer.ts';
import type { Config } from '../../kernel/config.ts';
import { verdictOn } from '../../modules/audit/verify-trail.job.ts';

/** Verifies the trail of every organization, as the server does: each event, its place, and the signed checkpoints. */
export async function verifyTrails(
  connection: Connection,
  config: Config,
): Promise<{ trails: number; broken: string[] }> {
  const organizations = await listOrganizations(connection);
  const db = openDatabase(openPool(connection, { size: 2, onError: () => {} }), refusalOf);
  const auditSigner = openAuditSigner(config.dataDir);
  const broken: string[] = [];
  try {
    for (const { id } of organizations) {
      const verdict = await verdictOn({ db, config, auditSigner }, id, () => Promise.resolve(true));
      if (verdict !== null && verdict !== 'superseded')
        broken.push(`that of organization ${id} from event ${verdict.firstBadSeq} (${verdict.problem})`);
    }
  } finally {
    await db.close();
  }
  return { trails: organizations.length, broken };
}

async function listOrganizations(connection: Connection): Promise<{ id: string }[]> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // A lost connection rejects the query under way.
  await client.connect();
  try {
    return (await client.query<{ id: string }>('select id from organizations order by id')).rows;
  } finally {
    await client.end();
  }
}
