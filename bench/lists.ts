// node --import tsx bench/lists.ts [--runs 20000] [--workflows 300] [--people 200] [--times 40]
// Measures the reads of an organization of this size, except certificates, and the start of its server. Exits with 1 if
// the 95th percentile of a read exceeds 100 ms, or if the start takes more than 3 s.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { busyWords, quantile } from './figures.ts';
import { freePort } from './free-port.ts';
import { counted, drained, embeddedPostgres, openSql } from './load/database.ts';
import { fill } from './reads/fill.ts';
import { timeOf } from './reads/measure.ts';
import { type Organization, drawing, found } from './reads/organization.ts';
import { READS } from './reads/routes.ts';
import { ServerProcess } from './server-process.ts';

const MAX_MS = 100;
const MAX_START_MS = 3000;
const WARM = 5;
const STARTS = 3;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '20000' },
    workflows: { type: 'string', default: '300' },
    people: { type: 'string', default: '200' },
    times: { type: 'string', default: '40' },
  },
});
const [runs, workflows, people, times] = [values.runs, values.workflows, values.people, values.times].map(Number) as [
  number,
  number,
  number,
  number,
];
const say = (line: string): void => void process.stdout.write(`${line}\n`);

say(busyWords());
const folder = mkdtempSync(join(tmpdir(), 'stet-lists-'));
const server = new ServerProcess(await freePort(), join(folder, 'data'), { WEBHOOK_ALLOW: '127.0.0.1' });
let failures = 0;
try {
  await server.start();
  const organization = await filled();
  const measured: { name: string; p50: number; p95: number }[] = [];
  for (const [route, addresses] of Object.entries(READS)) {
    if (typeof addresses === 'string') continue;
    for (const [words, address] of Object.entries(addresses)) {
      const taken: number[] = [];
      for (let n = -WARM; n < times; n += 1) {
        const ms = await timeOf(organization, address(organization));
        if (n >= 0) taken.push(ms);
      }
      measured.push({ name: `${route} ${words}`, p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) });
    }
  }
  const slow = measured.filter(({ p95 }) => p95 > MAX_MS);
  failures += slow.length;
  say(`${measured.length} reads, ${times} times each; the slowest by their 95th percentile, in milliseconds:`);
  for (const { name, p50, p95 } of measured.toSorted((a, b) => b.p95 - a.p95).slice(0, 15))
    say(`  p50 ${p50.toFixed(1).padStart(6)}  p95 ${p95.toFixed(1).padStart(6)}  ${name}`);
  say(slow.length === 0 ? `All are within ${MAX_MS} ms.` : `${slow.length} take more than ${MAX_MS} ms.`);
  // The server is started again only now, because it would check the filled trail, whose hashes aren't real.
  const starts: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    await server.stop();
    starts.push(await server.start());
  }
  const slowest = Math.max(...starts);
  if (slowest > MAX_START_MS) failures += 1;
  say(`start: ${starts.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')}`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;

async function filled(): Promise<Organization> {
  const organization = await found(server.url, runs, workflows);
  const { host, port } = embeddedPostgres(server.dataDir);
  const sql = await openSql({ host, port, user: 'postgres', database: 'stet' });
  try {
    await drained(sql);
    // Everyone has the founder's password.
    await sql.query(
      `with people as (
         insert into users (id, email, name, password_hash, role, proved_by, proved_at)
         select gen_random_uuid(), 'person-' || n || '@bench.example', 'Person ' || n, u.password_hash, 'editor', 'mailbox', now()
         from users u, generate_series(1, $2) n where u.id = $3 returning id
       )
       insert into memberships (org_id, user_id, role) select $1, id, 'editor' from people`,
      [organization.orgId, people - 1, organization.userId],
    );
    await fill(sql, organization, () => {});
    await counted(sql);
    return await drawing(sql, organization);
  } finally {
    await sql.end();
  }
}
