import { type Connection, openPool, ownerClient } from '../../db/pool.ts';
import { refusalOf } from '../../db/refusal-of.ts';
import { openDatabase } from '../../db/transaction.ts';
import { openAuditMac } from '../../modules/audit/audit-mac.ts';
import { openAuditSigner } from '../../modules/audit/audit-signer.ts';
import type { Config } from '../../kernel/config.ts';
import { verdictOn } from '../../modules/audit/verification.ts';

/**
 * Verifies the trails of all organizations in the same way as the server. Returns their number, and a description of
 * each broken one.
 */
export async function verifyTrails(
  connection: Connection,
  config: Config,
): Promise<{ trails: number; broken: string[] }> {
  const organizations = await listOrganizations(connection);
  const db = openDatabase(openPool(connection, { size: 2, onError: () => {} }), refusalOf);
  const auditSigner = openAuditSigner(config.dataDir);
  const auditMac = openAuditMac(config.dataDir, auditSigner);
  const broken: string[] = [];
  try {
    for (const { id } of organizations) {
      const ended = await verdictOn({ db, config, auditSigner, auditMac }, id);
      if (ended.is === 'ended' && ended.found)
        broken.push(`organization ${id}, from event ${ended.found.firstBadSeq} on (${ended.found.problem})`);
    }
  } finally {
    await db.close();
  }
  return { trails: organizations.length, broken };
}

async function listOrganizations(connection: Connection): Promise<{ id: string }[]> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // If the connection is lost, the running query rejects.
  await client.connect();
  try {
    return (await client.query<{ id: string }>('select id from organizations order by id')).rows;
  } finally {
    await client.end();
  }
}
