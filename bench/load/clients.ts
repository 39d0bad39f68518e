import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Done, Order, Work } from './client-process.ts';

const PROGRAM = fileURLToPath(new URL('client-process.ts', import.meta.url));

/**
 * The result of one phase. `ms` has the time of each request or, for whole runs, of each run. `seconds` is the time
 * from the first request to the last response.
 */
export type Phase = { count: number; seconds: number; ms: number[]; cpuSeconds: number };

/** Clients, spread over separate processes so that none of them is the bottleneck. */
export class Clients {
  readonly #children: ChildProcess[];

  private constructor(children: ChildProcess[]) {
    this.#children = children;
  }

  static async open(processes: number): Promise<Clients> {
    const children = Array.from({ length: processes }, () => fork(PROGRAM, { execArgv: ['--import', 'tsx'] }));
    await Promise.all(children.map((child) => once(child, 'message')));
    return new Clients(children);
  }

  /** Starts runs for a number of seconds. The processes remember them until `complete`. */
  start = (order: Work): Promise<Phase> => this.#all({ type: 'start', ...order });

  /** Completes all steps of the started runs, but of no other runs. */
  complete = (): Promise<Phase> => this.#all({ type: 'complete' });

  /**
   * Executes one run after another for a number of seconds, each from start to end. The last ones are completed too.
   */
  wholeRuns = (order: Work): Promise<Phase> => this.#all({ type: 'whole', ...order });

  async #all(order: Order): Promise<Phase> {
    const began = performance.now();
    const clients = order.type === 'complete' ? null : order.clients;
    // Each process has its share. If there are fewer clients than processes, some have none.
    const shares = this.#children.map((_, at) =>
      clients === null
        ? order
        : { ...order, clients: clients.filter((_, index) => index % this.#children.length === at) },
    );
    const done = await Promise.all(this.#children.map((child, at) => ask(child, shares[at] ?? order)));
    const seconds = (performance.now() - began) / 1000;
    return {
      seconds,
      count: done.reduce((sum, { ms }) => sum + ms.length, 0),
      ms: done.flatMap(({ ms }) => ms),
      cpuSeconds: done.reduce((sum, one) => sum + one.cpuSeconds, 0),
    };
  }

  stop(): void {
    for (const child of this.#children) child.kill();
  }
}

async function ask(child: ChildProcess, order: Order): Promise<Done> {
  const answered = once(child, 'message');
  child.send(order);
  const [done] = (await answered) as [Done | { problem: string }];
  if ('problem' in done) throw new Error(done.problem);
  return done;
}
