// A process with some of the clients; told what to do by `clients.ts`.
import { Wire } from './wire.ts';

/** One client: whom it acts for, and by which door. */
export type Client = { port: number; token: string };

export type Order = { type: 'start'; clients: Client[]; workflow: string; seconds: number } | { type: 'complete' };

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

async function start({ clients, workflow, seconds }: Extract<Order, { type: 'start' }>, ms: number[]): Promise<void> {
  for (const { wire } of open) wire.close();
  open = clients.map(({ port, token }) => ({ wire: new Wire(port, token), runs: [] }));
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    open.map(async ({ wire, runs }, client) => {
      while (performance.now() < until) {
        const body = JSON.stringify({ key: workflow, name: `Run ${runs.length} of client ${client}` });
        runs.push((JSON.parse(await asked(wire, '/api/runs', body, ms)) as { id: string }).id);
      }
    }),
  );
}

/** Step by step through all runs, so that a run has rest between two of its steps, as it has with people. */
async function complete(ms: number[]): Promise<void> {
  await Promise.all(
    open.map(async ({ wire, runs }) => {
      for (const step of STEPS)
        for (const run of runs)
          await asked(wire, `/api/runs/${run}/steps/${step}/complete`, '{"output":{"text":"done"}}', ms);
    }),
  );
}

process.on('message', (order: Order) => {
  const ms: number[] = [];
  const before = process.cpuUsage();
  const work = order.type === 'start' ? start(order, ms) : complete(ms);
  work.then(
    () => {
      const { user, system } = process.cpuUsage(before);
      process.send?.({ ms, cpuSeconds: (user + system) / 1e6 } satisfies Done);
    },
    (error: unknown) => process.send?.({ problem: String(error) }),
  );
});
process.send?.('ready');
