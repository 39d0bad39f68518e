// A process with some of the clients. `clients.ts` controls it.
import { Wire } from './wire.ts';

/** One client: the port it connects to, and its person's token. */
export type Client = { port: number; token: string };

/** The work of the clients, for a number of seconds. */
export type Work = { clients: Client[]; workflow: string; seconds: number };
export type Order = ({ type: 'start' | 'whole' } & Work) | { type: 'complete' };

export type Done = { ms: number[]; cpuSeconds: number };

export const STEPS = ['one', 'two', 'three', 'four', 'five'];

type Open = { wire: Wire; runs: string[] };
let open: Open[] = [];

async function asked(wire: Wire, path: string, body: string, ms: number[]): Promise<string> {
  const began = performance.now();
  const reply = await wire.post(path, body);
  if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.body}`);
  ms.push(performance.now() - began);
  return reply.body;
}

function reopen(clients: readonly Client[]): void {
  for (const { wire } of open) wire.close();
  open = clients.map(({ port, token }) => ({ wire: new Wire(port, token), runs: [] }));
}

async function startOne(wire: Wire, workflow: string, name: string, ms: number[]): Promise<string> {
  const body = JSON.stringify({ key: workflow, name });
  return (JSON.parse(await asked(wire, '/api/runs', body, ms)) as { id: string }).id;
}

const completeOne = (wire: Wire, run: string, step: string, ms: number[]): Promise<string> =>
  asked(wire, `/api/runs/${run}/steps/${step}/complete`, '{"output":{"text":"done"}}', ms);

async function start({ clients, workflow, seconds }: Work, ms: number[]): Promise<void> {
  reopen(clients);
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    open.map(async ({ wire, runs }, client) => {
      while (performance.now() < until)
        runs.push(await startOne(wire, workflow, `Run ${runs.length} of client ${client}`, ms));
    }),
  );
}

/** Completes one run after another, from start to end. */
async function whole({ clients, workflow, seconds }: Work, ms: number[]): Promise<void> {
  reopen(clients);
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    open.map(async ({ wire }, client) => {
      for (let n = 0; performance.now() < until; n += 1) {
        const began = performance.now();
        const run = await startOne(wire, workflow, `Whole run ${n} of client ${client}`, []);
        for (const step of STEPS) await completeOne(wire, run, step, []);
        ms.push(performance.now() - began);
      }
    }),
  );
}

/**
 * Completes one step of each run before the next step, so that each run waits between its steps, as it does for people.
 */
async function complete(ms: number[]): Promise<void> {
  await Promise.all(
    open.map(async ({ wire, runs }) => {
      for (const step of STEPS) for (const run of runs) await completeOne(wire, run, step, ms);
    }),
  );
}

process.on('message', (order: Order) => {
  const ms: number[] = [];
  const before = process.cpuUsage();
  const work = order.type === 'complete' ? complete(ms) : { start, whole }[order.type](order, ms);
  work.then(
    () => {
      const { user, system } = process.cpuUsage(before);
      process.send?.({ ms, cpuSeconds: (user + system) / 1e6 } satisfies Done);
    },
    (error: unknown) => process.send?.({ problem: String(error) }),
  );
});
process.send?.('ready');
