import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Returns the address and process id of a data directory's embedded PostgreSQL. */
export function embeddedPostgres(dataDir: string): { pid: number; host: string; port: number } {
  const [pid, , , port, host] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return { pid: Number(pid), host: host ?? '', port: Number(port) };
}

export async function openSql(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'bench' });
  // A stopping server also stops its PostgreSQL. Without this listener, the lost connection would end this process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Waits until no due job is left, not counting jobs that have failed for good. Returns the seconds that this took. */
export async function drained(sql: pg.Client): Promise<number> {
  const began = performance.now();
  for (;;) {
    const { rows } = await sql.query<{ left: boolean }>(
      `select exists (select from outbox where run_at <= now())
           or exists (select from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts) as left`,
    );
    if (!rows[0]?.left) return (performance.now() - began) / 1000;
    await sleep(100);
  }
}

/** Waits until insights have counted all events. */
export async function counted(sql: pg.Client): Promise<void> {
  const isBehind = async (): Promise<boolean> => {
    const { rows } = await sql.query<{ behind: boolean }>(
      'select exists (select from organizations_to_count()) as behind',
    );
    return rows[0]?.behind ?? false;
  };
  while (await isBehind()) await sleep(100);
}
