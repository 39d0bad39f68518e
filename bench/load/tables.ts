import type { Table } from '../report.ts';
import type { Floor } from './floor.ts';
import type { Neighbor } from './other-engines.ts';
import type { Measured } from './session.ts';
import type { StatementTime } from './statement-times.ts';

/** The measurements on one PostgreSQL. `floor` is null without pgbench. */
export type Series = {
  name: 'embedded' | 'external';
  measured: Measured[];
  floor: Floor | null;
  statements: readonly StatementTime[];
};
export type Beside = { name: string; postgres: Series['name'] | null; done: Neighbor };

export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const atMost = ({ measured }: Series, clients: number): Measured | undefined =>
  measured.find((one) => one.clients === clients && one.organizations === 1);

/** Returns the completions per second of one organization's clients as a share of pgbench's transactions per second. */
export function shareOf(series: Series, clients: number): number | null {
  const most = atMost(series, clients);
  return most && series.floor ? most.completionsPerSecond / series.floor.perSecond : null;
}

function clientsOf({ clients, organizations }: Measured): string | number {
  if (organizations === 1) return clients;
  return clients === organizations
    ? `${clients}, each in its own organization`
    : `${clients} in ${organizations} organizations`;
}

export function clientsTable(all: readonly Series[]): Table {
  const rows = all.flatMap(({ name, measured }) =>
    measured.map((one) => [
      name,
      clientsOf(one),
      one.startsPerSecond.toFixed(0),
      one.completionsPerSecond.toFixed(0),
      one.p50.toFixed(1),
      one.p99.toFixed(1),
      one.cpu.server.toFixed(2),
      one.cpu.postgres.toFixed(2),
      one.cpu.clients.toFixed(2),
      one.wholeRuns.perSecond.toFixed(0),
    ]),
  );
  const columns = ['PostgreSQL', 'Clients', 'Starts/s', 'Completions/s', 'p50 ms', 'p99 ms', 'CPU s: server'];
  return { columns: [...columns, 'PostgreSQL', 'clients', 'Whole runs/s'], rows };
}

export function floorTable(all: readonly Series[], clients: number): Table {
  const columns = ['Compared with', 'Transactions/s', `Stet with ${clients} clients, relative to it`];
  return {
    columns: [...columns, 'CPU s per 1 000: PostgreSQL', 'pgbench'],
    rows: all.map((series) => {
      const { name, floor } = series;
      const share = shareOf(series, clients);
      if (floor === null || share === null) return [`pgbench, ${name}`, 'not tried', 'not proven', '', ''];
      return [
        `pgbench, ${clients} clients, ${name}`,
        floor.perSecond.toFixed(0),
        percent(share),
        ((floor.postgresSeconds * 1000) / floor.count).toFixed(2),
        ((floor.cpuSeconds * 1000) / floor.count).toFixed(2),
      ];
    }),
  };
}

/**
 * Returns the CPU time of a completed step by part, in milliseconds, next to pgbench's time for the same part. The
 * server's time is split by its profile: `profile` has the microseconds of each part for one completed step.
 */
export function costTable(series: Series, clients: number, profile: ReadonlyMap<string, number>): Table | null {
  const cpu = atMost(series, clients)?.cpu;
  const { floor } = series;
  if (!cpu || !floor) return null;
  const floorMs = {
    postgres: (floor.postgresSeconds * 1000) / floor.count,
    pgbench: (floor.cpuSeconds * 1000) / floor.count,
  };
  const whole = cpu.server + cpu.postgres + cpu.clients;
  const row = (name: string, ms: number, beside: number | null): string[] => [
    name,
    ms.toFixed(2),
    percent(ms / whole),
    beside === null ? '' : beside.toFixed(2),
  ];
  const profiled = [...profile].map(([name, us]) => ({ name, ms: us / 1000 }));
  const onThread = profiled.reduce((sum, { ms }) => sum + ms, 0);
  // Profiling takes time too, so its parts are scaled to the server's time without profiling.
  const scale = Math.min(1, cpu.server / onThread);
  const rest = cpu.server - onThread * scale;
  return {
    columns: ['CPU time of a completed step', 'ms', 'share', 'pgbench, ms'],
    rows: [
      row('PostgreSQL', cpu.postgres, floorMs.postgres),
      ...profiled.map(({ name, ms }) => row(`server: ${name}`, ms * scale, null)),
      row('server: other threads', rest, null),
      row('clients', cpu.clients, floorMs.pgbench),
      row('total', whole, floorMs.postgres + floorMs.pgbench),
    ],
  };
}

/** Returns PostgreSQL's CPU time for each statement of a completed step, the most expensive first. */
export function statementTable({ statements }: Series): Table {
  const whole = statements.reduce((sum, { us }) => sum + us, 0);
  const row = (name: string, us: number): string[] => [name, us.toFixed(0), percent(us / whole)];
  return {
    columns: ['PostgreSQL, CPU time of a statement', 'µs', 'share'],
    rows: [
      ...statements.toSorted((one, other) => other.us - one.us).map(({ name, us }) => row(`\`${name}\``, us)),
      row('total', whole),
    ],
  };
}

/**
 * Returns whole runs per second: Stet with clients of one organization, and each other engine next to Stet on the same
 * PostgreSQL.
 */
export function wholeRunsTable(all: readonly Series[], beside: readonly Beside[], clients: number): Table {
  const stet = all.flatMap((series) => {
    const whole = atMost(series, clients)?.wholeRuns;
    return whole ? [{ name: series.name, ...whole }] : [];
  });
  const columns = [
    'Whole runs',
    'PostgreSQL',
    'Runs/s',
    'Stet, relative to it',
    'CPU s per 1 000: its process',
    'PostgreSQL',
  ];
  return {
    columns: [...columns, 'clients'],
    rows: [
      ...stet.map(({ name, perSecond, cpu }) => [
        `Stet, ${clients} clients over HTTP`,
        name,
        perSecond.toFixed(0),
        '',
        ...[cpu.server, cpu.postgres, cpu.clients].map((seconds) => seconds.toFixed(2)),
      ]),
      ...beside.map(({ name, postgres, done }) => {
        // An engine without PostgreSQL is compared with Stet's best result.
        const same = stet.filter((one) => postgres === null || one.name === postgres).map(({ perSecond }) => perSecond);
        return [
          name,
          postgres ?? 'none, in memory',
          done.runsPerSecond.toFixed(0),
          percent(Math.max(...same) / done.runsPerSecond),
          ((done.cpuSeconds * 1000) / done.runs).toFixed(2),
          done.postgresSeconds === null ? 'none' : ((done.postgresSeconds * 1000) / done.runs).toFixed(2),
          'in its process',
        ];
      }),
    ],
  };
}
