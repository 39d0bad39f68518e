import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { callerOf } from '../caller.ts';
import { ServerProcess } from '../server-process.ts';
import type { Outcome } from './outcome.ts';

const run = promisify(execFile);
const PROGRAM = ['/usr/bin/sqlmap', '/usr/local/bin/sqlmap', '/opt/homebrew/bin/sqlmap'].find((file) =>
  existsSync(file),
);
/** For all of them together. */
const MINUTES = 3;

type Target = { path: string; parameters?: string; body?: object };

/** Addresses that end in a query of some width: searches, filters, cursors, keys in the path, a body. */
const TARGETS: readonly Target[] = [
  { path: '/api/runs?q=one&workflow=target&status=running', parameters: 'q,workflow,status' },
  { path: '/api/workflows?q=one&status=live', parameters: 'q,status' },
  { path: '/api/workflow-search?q=first&status=live', parameters: 'q,status' },
  { path: '/api/audit/events?q=one&action=run.started', parameters: 'q,action' },
  { path: '/api/workflows/target*/versions' },
  { path: '/api/auth/login', body: { email: 'someone@example.com*', password: 'a long enough one' } },
];

/** Lets sqlmap try some routes with parameters, where it is installed. */
export async function attackWithSqlmap(port: number): Promise<Outcome[]> {
  const attack = 'SQL injection by sqlmap';
  if (!PROGRAM) return [{ attack, tried: 'not installed here', met: '–', findings: [] }];
  const program = PROGRAM;
  const folder = mkdtempSync(join(tmpdir(), 'stet-attacks-'));
  const server = new ServerProcess(port, folder);
  try {
    await server.start();
    const account = { email: 'someone@example.com', name: 'Someone', password: 'a long enough one' };
    const { token } = await callerOf(server.url)<{ token: string }>('POST', '/api/auth/signup', account);
    const call = callerOf(server.url, token);
    const { draftId } = await call<{ draftId: string }>('POST', '/api/workflows/target/drafts', {
      metadata: { title: 'One' },
      steps: [{ id: 'first', title: 'First' }],
    });
    await call('POST', `/api/workflows/target/drafts/${draftId}/submit`);
    await call('POST', `/api/workflows/target/drafts/${draftId}/merge`);
    await call('POST', '/api/runs', { key: 'target', name: 'Run one' });

    const findings: string[] = [];
    let done = 0;
    // Two at a time: each waits for the server about as long as it thinks.
    const ends = await Promise.all(
      [0, 1].map(async (turn) => {
        const said: string[] = [];
        for (const target of TARGETS.filter((_, n) => n % 2 === turn))
          said.push(
            `${target.path}\n${await tryOne(program, server.url, token, target, join(folder, `sqlmap-${turn}`))}`,
          );
        return said;
      }),
    );
    for (const said of ends.flat()) {
      const path = said.split('\n', 1)[0];
      if (/identified the following injection point|is vulnerable|appears to be '.*' injectable/.test(said))
        findings.push(`${path}: ${said.slice(-800)}`);
      else if (/do not appear to be injectable/.test(said)) done += 1;
      else if (!/user aborted|time limit|TIMED OUT/i.test(said))
        findings.push(`${path}: sqlmap did not come to its end: ${said.slice(-300)}`);
    }
    return [
      {
        attack,
        tried: `${TARGETS.length} routes with parameters, level 2, ${MINUTES} minutes at most; ${done} to the end`,
        met: 'no parameter appears to be injectable',
        findings,
      },
    ];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryOne(
  program: string,
  url: string,
  token: string,
  { path, parameters, body }: Target,
  output: string,
): Promise<string> {
  const args = [
    '-u',
    url + path,
    '--batch',
    '--level',
    '2',
    '--risk',
    '1',
    '--dbms',
    'PostgreSQL',
    '--technique',
    'BEUT',
    '--time-sec',
    '2',
    '--threads',
    '4',
    '--flush-session',
    '--disable-coloring',
    '--output-dir',
    output,
    '--ignore-code',
    '400,401,404',
    '-H',
    `Authorization: Bearer ${token}`,
    ...(parameters ? ['-p', parameters] : []),
    ...(body ? ['--data', JSON.stringify(body), '-H', 'Content-Type: application/json'] : []),
  ];
  const patience = (MINUTES * 60_000) / (TARGETS.length / 2);
  try {
    const { stdout } = await run(program, args, {
      timeout: patience,
      maxBuffer: 2 ** 26,
      env: { ...process.env, HOME: output },
    });
    return stdout;
  } catch (error) {
    const { stdout = '', killed = false } = error as { stdout?: string; killed?: boolean };
    return killed ? `${stdout}\nTIMED OUT` : stdout || String(error);
  }
}
