import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerProcess } from '../server-process.ts';
import type { ExternalPostgres } from '../external-postgres.ts';
import { freePort } from '../free-port.ts';
import type { Ledger } from './ledger.ts';
import type { LoadOptions, Loaded } from './load.ts';
import type { Sinks } from './sinks.ts';

export type Outcome = Loaded & {
  /** How many times the fault was injected. */
  times: number;
  /** Milliseconds until the server recovered after each fault. Null if it never did. */
  servedAgainMs: (number | null)[];
  /** Other observations, as text for the table. */
  meanwhile: string;
};

/** The reason why the fault could not be tried on this machine; in that case the scenario neither passed nor failed. */
export type NotProven = { notProven: string };

export type Scenario = {
  name: string;
  /** A description of the fault, for the table. */
  title: string;
  run: (rig: Rig) => Promise<Outcome | NotProven>;
};

/** The resources of one scenario, which are closed at its end. */
export class Rig {
  readonly #closing: (() => Promise<unknown> | void)[] = [];
  readonly #servers: ServerProcess[] = [];
  #databases = 0;

  constructor(
    readonly name: string,
    readonly folder: string,
    /** Null if the machine has no PostgreSQL installed. */
    readonly external: ExternalPostgres | null,
    /** The receivers of the emails and webhooks that the scenario's servers send. */
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

  /** Returns the servers' last log output. */
  lastWords(): string {
    return this.#servers
      .map(({ url, pid, hasEnded, logFile }) => {
        const logText = logFile !== null && existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
        return `${url}, process ${pid}, ${hasEnded ? 'has ended' : 'is running'}:\n${logText.slice(-4000)}`;
      })
      .join('\n');
  }

  /** Creates a server without starting it. */
  async server(environment: Record<string, string> = {}, dataDir = join(this.folder, 'data')): Promise<ServerProcess> {
    const port = await freePort();
    const log = join(this.folder, `server-${port}.log`);
    const server = new ServerProcess(port, dataDir, { ...this.sinks.environment, ...environment }, [], 'server', log);
    this.#servers.push(server);
    this.onClose(() => server.stop());
    return server;
  }

  /** Creates an empty database in the external PostgreSQL. Returns its name. */
  async database(external: ExternalPostgres): Promise<string> {
    this.#databases += 1;
    const name = `${this.name}_${this.#databases}`.replaceAll('-', '_');
    await external.createDatabase(name);
    return name;
  }

  /** Returns the options for a load on these servers. The result is read from the first one. */
  loadAt(first: ServerProcess, ...others: ServerProcess[]): LoadOptions {
    const urls = [first, ...others].map(({ url }) => url);
    return { urls, readUrl: first.url, dataDir: first.dataDir, sinks: this.sinks };
  }
}

/** Returns the time to recover after each of these moments. */
export const servedAgain = (ledger: Ledger, moments: readonly number[]): (number | null)[] =>
  moments.map((moment, n) => ledger.servedAgain(moment, moments[n + 1]));

/** Describes the unsuccessful responses between two moments, for example `503 × 12, no response × 3`. */
export function answersInWords(ledger: Ledger, from: number, to: number): string {
  const counts = Object.entries(ledger.statuses(from, to)).filter(([status]) => !status.startsWith('2'));
  const words = counts.map(([status, count]) => `${status === 'none' ? 'no response' : status} × ${count}`);
  return words.join(', ') || 'no errors';
}
