import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { must } from '../call.ts';
import { underLoad } from '../load.ts';
import { STEPS, WORKFLOW } from '../player.ts';
import { type Scenario, answersInWords, servedAgain } from '../rig.ts';
import { NO_EXTERNAL } from './kills.ts';

const HOUR_MS = 3_600_000;
const NEAR_MS = 60_000;
const PRELOAD = fileURLToPath(new URL('../shifted-clock.mjs', import.meta.url));

type Step = { id: string; activatedAt: string | null; dueAt: string | null; slaState: string | null };
type Run = { id: string; now: string; createdAt: string; slaState: string; steps: Step[] };

export const clockShifted: Scenario = {
  name: 'clock-shifted',
  title: 'The clock of one of two servers is set one hour fast, then one hour slow, then correctly',
  run: async (rig) => {
    const { external } = rig;
    if (!external) return NO_EXTERNAL;
    const shiftFile = join(rig.folder, 'shift');
    writeFileSync(shiftFile, '0');
    const environment = { DATABASE_URL: external.url(await rig.database(external)) };
    const right = await rig.server(environment);
    const wrong = await rig.server({
      ...environment,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SHIFT_FILE: shiftFile,
    });
    await right.start();
    await wrong.start();
    const found: string[] = [];
    const moments: number[] = [];
    const first = performance.now();
    const loaded = await underLoad(rig.loadAt(right, wrong), async (ledger) => {
      for (const shift of [HOUR_MS, -HOUR_MS, 0]) {
        writeFileSync(shiftFile, String(shift));
        process.kill(wrong.pid ?? 0, 'SIGUSR2');
        moments.push(performance.now());
        await sleep(500);
        const words = { [HOUR_MS]: 'an hour fast', [-HOUR_MS]: 'an hour slow' }[shift] ?? 'corrected';
        found.push(...(await oddities(right.url, wrong.url, shift)).map((text) => `${words}: ${text}`));
        await ledger.awaitMore(40);
      }
    });
    loaded.problems.push(...found);
    const { ledger } = loaded;
    return {
      ...loaded,
      times: moments.length,
      servedAgainMs: servedAgain(ledger, moments),
      meanwhile: `due times follow the database's clock, and sessions of either server are valid on both; ${answersInWords(ledger, first, Infinity)}`,
    };
  },
};

/** Returns how a server's wrong clock affects people: their sessions, and due times. */
async function oddities(right: string, wrong: string, shift: number): Promise<string[]> {
  const problems: string[] = [];
  for (const [born, used] of [
    [right, wrong],
    [wrong, right],
  ] as const) {
    const person = {
      email: `clock-${Date.now()}-${used.length}-${shift}@example.com`,
      name: 'Clock',
      password: 'clock-test',
    };
    const { token } = await must<{ token: string }>({ method: 'POST', url: `${born}/api/auth/signup`, body: person });
    const offBy = ownTime(token) - Date.now() - (born === wrong ? shift : 0);
    if (Math.abs(offBy) > NEAR_MS) problems.push(`a server’s clock is ${offBy} ms off the time that was set`);
    // A person who signs in at one server can continue at the other.
    await must({ method: 'GET', url: `${used}/api/auth/me`, token });
    const drafts = `/api/workflows/${WORKFLOW}/drafts`;
    const steps = STEPS.map((id, n) => ({ id, title: `Step ${id}`, sla: '30m', next: STEPS.slice(n + 1, n + 2) }));
    const body = { metadata: { title: 'Clocks' }, steps };
    const { draftId } = await must<{ draftId: string }>({ method: 'POST', url: born + drafts, token, body });
    await must({ method: 'POST', url: `${used}${drafts}/${draftId}/merge`, token });
    const asked = { key: WORKFLOW, name: 'A run by the clock' };
    const { id } = await must<Run>({ method: 'POST', url: `${born}/api/runs`, token, body: asked });
    for (const url of [born, used]) {
      const run = await must<Run>({ method: 'GET', url: `${url}/api/runs/${id}`, token });
      const [step] = run.steps;
      const at = (text: string | null | undefined): number => Date.parse(text ?? '');
      if (Math.abs(at(run.createdAt) - Date.now()) > NEAR_MS) problems.push(`a run began at ${run.createdAt}`);
      if (Math.abs(at(run.now) - Date.now()) > NEAR_MS) problems.push(`a response is dated ${run.now}`);
      if (at(step?.dueAt) - at(step?.activatedAt) !== HOUR_MS / 2) problems.push(`a step is due at ${step?.dueAt}`);
      if (Math.abs(at(step?.activatedAt) - Date.now()) > NEAR_MS) problems.push(`a step began at ${step?.activatedAt}`);
      if (run.slaState !== 'on_track' || step?.slaState !== 'on_track') problems.push(`a run is ${run.slaState}`);
    }
    const login = { email: person.email, password: person.password };
    await must({ method: 'POST', url: `${used}/api/auth/login`, body: login });
  }
  return problems;
}

/** Returns the time on the clock of the server that created a session. The server writes its time into the token. */
function ownTime(token: string): number {
  const [, claims = ''] = token.split('.');
  const { iat } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat?: number };
  if (iat === undefined) throw new Error('a token has no creation time');
  return iat * 1000;
}
