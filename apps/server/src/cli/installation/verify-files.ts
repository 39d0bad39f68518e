import { createHash } from 'node:crypto';
import { type NamedFile, filesNamedIn } from '@stet/domain/audit';
import type pg from 'pg';
import { type Connection, ownerClient } from '../../db/pool.ts';

/** Number of events that are read at once. */
const PAGE = 200;
/** Number of chunks of a file that are read at once, 256 KiB each. */
const CHUNKS = 4;

type EventRow = { seq: string; action: string; payload: string | null };
type FileRow = { name: string; media_type: string | null; is_used: boolean };

/**
 * Checks that every file that the audit trails name is stored with the recorded bytes, name and type, and is still
 * attached. Returns the number of files, and a sentence for each problem. Loads only a few chunks at a time.
 */
export async function verifyFiles(connection: Connection): Promise<{ files: number; problems: string[] }> {
  const client = ownerClient(connection);
  client.on('error', () => {}); // If the connection is lost, the running query rejects.
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select id from organizations order by id');
    const checked = new Set<string>();
    const problems: string[] = [];
    for (const { id: orgId } of rows) {
      for await (const file of filesNamedBy(client, orgId)) {
        const key = `${file.fileId} ${file.sha256} ${file.name}`;
        if (checked.has(key)) continue;
        checked.add(key);
        const problem = await problemOf(client, orgId, file);
        if (problem !== null)
          problems.push(`organization ${orgId}, file ${file.fileId} of event ${file.seq}: ${problem}`);
      }
    }
    return { files: checked.size, problems };
  } finally {
    await client.end();
  }
}

async function* filesNamedBy(client: pg.Client, orgId: string): AsyncGenerator<NamedFile> {
  for (let after = 0; ;) {
    const { rows } = await client.query<EventRow>(
      `select seq, action, payload from audit_events where org_id = $1 and seq > $2 order by seq limit $3`,
      [orgId, after, PAGE],
    );
    for (const { seq, action, payload } of rows) yield* filesNamedIn({ seq: Number(seq), action, payload });
    const last = rows.at(-1);
    if (!last) return;
    after = Number(last.seq);
  }
}

async function problemOf(client: pg.Client, orgId: string, file: NamedFile): Promise<string | null> {
  const { rows } = await client.query<FileRow>(
    'select name, media_type, activation is not null or note_id is not null as is_used from files where org_id = $1 and id = $2',
    [orgId, file.fileId],
  );
  const [row] = rows;
  if (!row) return 'it is missing';
  if (row.name !== file.name || row.media_type !== file.mediaType || !row.is_used)
    return 'its description differs from the one that was recorded';
  return (await digestOf(client, orgId, file.fileId)) === file.sha256
    ? null
    : 'its bytes differ from those that were recorded';
}

async function digestOf(client: pg.Client, orgId: string, fileId: string): Promise<string> {
  const hash = createHash('sha256');
  for (let after = -1; ;) {
    const { rows } = await client.query<{ n: number; bytes: Buffer }>(
      'select n, bytes from file_chunks where org_id = $1 and file_id = $2 and n > $3 order by n limit $4',
      [orgId, fileId, after, CHUNKS],
    );
    for (const { bytes } of rows) hash.update(bytes);
    const last = rows.at(-1);
    if (!last) return hash.digest('hex');
    after = last.n;
  }
}
