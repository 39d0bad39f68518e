// node --import tsx bench/disk-growth.ts [--runs 1000] [--warm 200]
// Measures how much the database grows per 1 000 completed runs of a workflow with five steps, two of them with a form
// and one an approval, and prints the growth of each table with its indexes. Uses the built server with its embedded
// PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { type Call, callerOf } from './caller.ts';
import { freePort } from './free-port.ts';
import { drained, embeddedPostgres, openSql } from './load/database.ts';
import { ServerProcess } from './server-process.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1000' }, warm: { type: 'string', default: '200' } },
});
const [runs, warm] = [Number(values.runs), Number(values.warm)];
const CLIENTS = 8;
const PASSWORD = 'a long enough one';
// About a paragraph for each completed step.
const TEXT = 'The documents are complete, the bank details match the letter, and the contract is filed. '.repeat(3);
const FIELDS = [
  { id: 'amount', label: 'Amount', kind: 'number' },
  { id: 'supplier', label: 'Supplier', kind: 'text' },
];
const STEPS = [
  { id: 'register', title: 'Register the request', sla: '1 day', config: { fields: FIELDS } },
  { id: 'check', title: 'Check the documents', sla: '1 day', config: { fields: FIELDS } },
  { id: 'approve', title: 'Approve', type: 'approval', assignee: 'reviewer', sla: '2 days' },
  { id: 'sign', title: 'Sign the contract', sla: '2 days' },
  { id: 'archive', title: 'Archive the contract', sla: '5 days' },
];

const dataDir = mkdtempSync(join(tmpdir(), 'stet-disk-growth-'));
const server = new ServerProcess(await freePort(), dataDir);
try {
  await server.start();
  const { host, port } = embeddedPostgres(dataDir);
  const client = await openSql({ host, port, user: 'postgres', database: 'stet' });
  const people = await makeTeam(client);
  await complete(people, warm);
  const before = await sizes(client);
  await complete(people, runs);
  const after = await sizes(client);
  report(before, after);
  await client.end();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

type People = { owner: Call; reviewer: Call };

async function makeTeam(client: pg.Client): Promise<People> {
  const anyone = callerOf(server.url);
  const signUp = async (email: string, team: object): Promise<{ call: Call; id: string; orgId: string }> => {
    const { token, user } = await anyone<{ token: string; user: { id: string; currentOrgId: string } }>(
      'POST',
      '/api/auth/signup',
      { email, name: email, password: PASSWORD, ...team },
    );
    return { call: callerOf(server.url, token), id: user.id, orgId: user.currentOrgId };
  };
  const team = { accountType: 'organization', organizationName: 'Growing', organizationSlug: 'growing' };
  const owner = await signUp('ada@example.com', team);
  const reviewer = await signUp('ben@example.com', {});
  await client.query(`update users set proved_by = 'mailbox', proved_at = now()`);
  await client.query(`insert into memberships (org_id, user_id, role) values ($1, $2, 'reviewer')`, [
    owner.orgId,
    reviewer.id,
  ]);
  await client.query('update users set current_org_id = $1 where id = $2', [owner.orgId, reviewer.id]);
  const drafts = '/api/workflows/purchase/drafts';
  const { draftId } = await owner.call<{ draftId: string }>('POST', drafts, {
    metadata: { title: 'Purchase' },
    steps: STEPS,
  });
  await owner.call('POST', `${drafts}/${draftId}/submit`);
  await reviewer.call('POST', `${drafts}/${draftId}/approve`);
  await owner.call('POST', `${drafts}/${draftId}/merge`);
  return { owner: owner.call, reviewer: reviewer.call };
}

async function complete(people: People, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await completeOne(people, n);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

async function completeOne({ owner, reviewer }: People, n: number): Promise<void> {
  const { id } = await owner<{ id: string }>('POST', '/api/runs', { key: 'purchase', name: `Purchase ${n}` });
  for (const step of STEPS) {
    if (step.type === 'approval')
      await reviewer('POST', `/api/runs/${id}/steps/${step.id}/approve`, { comments: 'Fine.' });
    else {
      const fields = step.config ? { fields: { amount: 1200, supplier: 'Halden Works' } } : {};
      await owner('POST', `/api/runs/${id}/complete`, { stepId: step.id, output: { text: TEXT, ...fields } });
    }
  }
}

/** Bytes of each table with its indexes and long values, after dead rows were removed. */
async function sizes(client: pg.Client): Promise<Map<string, number>> {
  await drained(client);
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace
     union all select 'the whole database', pg_database_size(current_database())`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

function report(before: Map<string, number>, after: Map<string, number>): void {
  const grown = [...after]
    .map(([name, bytes]) => ({ name, mib: ((bytes - (before.get(name) ?? 0)) / 1024 / 1024) * (1000 / runs) }))
    .filter(({ mib }) => mib >= 0.05)
    .toSorted((a, b) => b.mib - a.mib);
  for (const { name, mib } of grown) console.log(`${mib.toFixed(1).padStart(8)} MiB per 1 000 runs  ${name}`);
}
