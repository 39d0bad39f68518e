import { SYSTEM_ACTOR, appendLeaf, checkpointText, emptyRange, rootOf, signNote } from '@stet/domain/audit';
import { openAuditSigner } from '../modules/audit/audit-signer.ts';
import { appendAudit } from '../modules/audit/index.ts';
import type { TestServer } from './server.ts';

/**
 * Appends events to a trail, and then inserts a checkpoint after each of its events, signed with the server's key or with
 * the one of another data directory. Returns the number of events.
 */
export async function sealEachEvent(
  { server: { deps }, sql, dataDir }: TestServer,
  orgId: string,
  appended: number,
  keysFrom = dataDir,
): Promise<number> {
  const record = { actor: SYSTEM_ACTOR, action: 'session.signed_in', subject: { type: 'user', id: 'u' } } as const;
  await deps.db.transaction({ orgId, userId: null }, async (tx) =>
    appendAudit(
      tx,
      Array.from({ length: appended }, () => record),
    ),
  );
  const signer = openAuditSigner(keysFrom);
  const at = new Date().toISOString();
  let tree = emptyRange();
  const rows = (
    await sql<{ hash: Buffer }>('select hash from audit_events where org_id = $1 order by seq', [orgId])
  ).map(({ hash: head }) => {
    tree = appendLeaf(tree, head);
    const root = Buffer.from(rootOf(tree));
    const text = checkpointText({ orgId, size: tree.to, root, head, at });
    const peaks = Buffer.concat(tree.nodes.map(({ hash }) => hash));
    return { size: tree.to, root, head, peaks, note: signNote(text, signer.keyOf(orgId), signer.sign) };
  });
  await sql(
    `insert into audit_checkpoints (org_id, size, at, root, head, peaks, note)
     select $1, size, $2, root, head, peaks, note
     from unnest($3::bigint[], $4::bytea[], $5::bytea[], $6::bytea[], $7::text[]) r (size, root, head, peaks, note)
     on conflict do nothing`,
    [
      orgId,
      at,
      rows.map(({ size }) => size),
      rows.map(({ root }) => root),
      rows.map(({ head }) => head),
      rows.map(({ peaks }) => peaks),
      rows.map(({ note }) => note),
    ],
  );
  return rows.length;
}
