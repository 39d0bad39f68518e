import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** A statement sent by the server, and its values for `$1`, `$2`, … as text. */
export type Sent = { name: string; text: string; values: (string | null)[] };

/** One transaction from `begin` to `commit`, or a single statement outside of a transaction. */
export type SentTransaction = Sent[];

/**
 * Runs `act` and returns the transactions that the server committed in the meantime, for requests and for jobs. They are
 * read from PostgreSQL's log. No other requests may reach the server in the meantime.
 */
export async function recorded(sql: pg.Client, logFile: string, act: () => Promise<void>): Promise<SentTransaction[]> {
  const set = async (statements: string[]): Promise<void> => {
    for (const one of [...statements, 'select pg_reload_conf()']) await sql.query(one);
    await sleep(500);
  };
  await set([`alter system set log_statement = 'all'`, `alter system set log_line_prefix = '%a %p '`]);
  const from = statSync(logFile).size;
  await act();
  await sleep(200);
  const log = readFileSync(logFile).subarray(from).toString('utf8');
  await set([`alter system reset log_statement`, `alter system reset log_line_prefix`]);
  return transactionsIn(log);
}

const ENTRY = /^stet (\d+) (LOG|DETAIL): {2}(?:execute ([^:]+): |[Pp]arameters: )([\s\S]*)$/;

function transactionsIn(log: string): SentTransaction[] {
  const open = new Map<string, Sent[]>();
  const latest = new Map<string, Sent>();
  const done: SentTransaction[] = [];
  // A line that begins with a tab continues the previous entry.
  for (const entry of log.split(/\n(?!\t)/)) {
    const [, process = '', kind, name = '', detail = ''] = ENTRY.exec(entry.replaceAll('\n\t', '\n')) ?? [];
    const sent = open.get(process);
    if (kind === 'DETAIL') {
      const last = latest.get(process);
      if (last) last.values = valuesIn(detail);
      continue;
    }
    if (name === '') {
      if (kind === 'LOG') latest.delete(process);
      continue;
    }
    const statement: Sent = { name, text: detail, values: [] };
    latest.set(process, statement);
    if (name === 'begin') open.set(process, [statement]);
    else if (sent) sent.push(statement);
    else done.push([statement]);
    if (name !== 'commit' || !sent) continue;
    done.push(sent);
    open.delete(process);
  }
  return done;
}

const valuesIn = (detail: string): (string | null)[] =>
  [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')(?:, |$)/g)].map(
    ([, text]) => text?.replaceAll("''", "'") ?? null,
  );
