import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from '../server-process.ts';
import type { ExternalPostgres } from '../external-postgres.ts';
import { freePort } from '../free-port.ts';
import type { Ledger } from './ledger.ts';
import type { LoadOptions, Loaded } from './load.ts';
import { type Plant, plantBefore } from './planted.ts';
import type { Sinks } from './sinks.ts';

export type Outcome = Loaded & {
  /** How often the fault was there. */
  times: number;
  /** How long it took to serve again after each, in milliseconds; null where it never did. */
  servedAgainMs: (number | null)[];
  /** What else was seen, in words for the table. */
  meanwhile: string;
};

/** It could not be tried on this machine, and why: that proves nothing. */
export type NotProven = { notProven: string };

export type Scenario = {
  name: string;
  /** What is done, for the table. */
  title: string;
  run: (rig: Rig) => Promise<Outcome | NotProven>;
};

/** What one scenario works with; all that it opened is closed behind it. */
export class Rig {
  readonly #closing: (() => Promise<unknown> | void)[] = [];
  readonly #servers: ServerProcess[] = [];
  #databases = 0;

  constructor(
    readonly name: string,
    readonly folder: string,
    /** Null where the machine has no PostgreSQL of its own. */
    readonly external: ExternalPostgres | null,
    readonly plant: Plant | null,
    /** Where the mails and webhooks of its servers go. */
    readonly sinks: Sinks,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  onClose(close: () => Promise<unknown> | void): void {
    this.#closing.push(close);
  }

  async close(): Promise<void> {
    for (let close = this.#closing.pop(); close; close = this.#closing.pop()) await close();
  }

  /** What the servers said last. */
  lastWords(): string {
    return this.#servers
      .map(({ url, pid, hasEnded, logFile }) => {
        const said = logFile !== null && existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
        return `${url}, process ${pid}, ${hasEnded ? 'has ended' : 'runs'}:\n${said.slice(-4000)}`;
      })
      .join('\n');
  }

  /** A server that isn't started yet. */
  async server(environment: Record<string, string> = {}, dataDir = join(this.folder, 'data')): Promise<ServerProcess> {
    const port = await freePort();
    const log = join(this.folder, `server-${port}.log`);
    const server = new ServerProcess(port, dataDir, { ...this.sinks.environment, ...environment }, [], 'server', log);
    this.#servers.push(server);
    this.onClose(() => server.stop());
    return server;
  }

  /** An empty database in the external PostgreSQL, by its name. */
  async database(external: ExternalPostgres): Promise<string> {
    this.#databases += 1;
    const name = `${this.name}_${this.#databases}`.replaceAll('-', '_');
    await external.createDatabase(name);
    return name;
  }

  /** Clients work at these servers, or at the planted fault in front of the only one; the first one tells the result. */
  async loadAt(first: ServerProcess, ...others: ServerProcess[]): Promise<LoadOptions> {
    const { sinks } = this;
    const direct = { readUrl: first.url, dataDir: first.dataDir, sinks };
    if (!this.plant) return { ...direct, urls: [first, ...others].map(({ url }) => url), drained: async () => 0 };
    const planted = await plantBefore(first.port, this.plant);
    this.onClose(planted.close);
    return { ...direct, urls: [planted.url], drained: planted.drained };
  }
}

/** After each of these moments, how long it took. */
export const servedAgain = (ledger: Ledger, moments: readonly number[]): (number | null)[] =>
  moments.map((moment, n) => ledger.servedAgain(moment, moments[n + 1]));

/** `503 × 12, none × 3` of what was answered between. */
export function answersInWords(ledger: Ledger, from: number, to: number): string {
  const counts = Object.entries(ledger.statuses(from, to)).filter(([status]) => !status.startsWith('2'));
  const words = counts.map(([status, count]) => `${status === 'none' ? 'no answer' : status} × ${count}`);
  return words.join(', ') || 'none refused';
}
