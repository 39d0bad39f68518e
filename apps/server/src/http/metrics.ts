import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Deps } from '../kernel/deps.ts';
import type { Gauges } from '../kernel/gauges.ts';
import { Refused } from '../kernel/refused.ts';

/**
 * `GET /metrics` for Prometheus. It contains metrics of the process and its version, requests by route, method and
 * status, failed sign-ins, changes that share transactions, and the gauges of the installation.
 */
export function openMetrics(
  app: FastifyInstance,
  { version, config, publicUrl, gauges, db }: Pick<Deps, 'version' | 'config' | 'publicUrl' | 'gauges' | 'db'>,
): void {
  const hosts = new Set([hostName(config.host), new URL(publicUrl).hostname, 'localhost', '[::1]']);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time of requests, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const failedSignIns = new Counter({
    name: 'stet_sign_ins_failed_total',
    help: 'Sign-ins refused because of a wrong password or an unknown address',
    registers: [registry],
  });
  new Gauge({
    name: 'stet_build_info',
    help: 'Always 1; the labels are the version, the commit and the last migration',
    labelNames: ['version', 'commit', 'schema'],
    registers: [registry],
  }).set({ ...version, commit: version.commit ?? '' }, 1);
  const show = openStanding(registry);
  observeChanges(registry, db);
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    requests.observe(labels, reply.elapsedTime / 1000);
    if (labels.route === '/api/auth/login' && labels.status === 401) failedSignIns.inc();
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!canAsk(request, { token: config.metricsToken, hosts }))
      throw new Refused({ code: 'not_found', what: 'route' });
    show(await gauges());
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Metrics of changes that share transactions (docs/decisions/0165-changes-of-runs-share-transactions.md). */
function observeChanges(registry: Registry, db: Deps['db']): void {
  const registers = [registry];
  const changes = new Histogram({
    name: 'stet_changes_per_transaction',
    help: 'Number of changes to runs that were saved in the same transaction',
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers,
  });
  const waiting = new Histogram({
    name: 'stet_change_wait_seconds',
    help: 'How long a change to a run waited until its transaction began',
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    registers,
  });
  const repeated = new Counter({
    name: 'stet_changes_repeated_total',
    help: 'Changes to runs that were repeated one by one, because their shared transaction failed or one of them was slow',
    registers,
  });
  db.observeChanges({
    began: (waitedMs) => {
      changes.observe(waitedMs.length);
      for (const ms of waitedMs) waiting.observe(ms / 1000);
    },
    repeated: () => repeated.inc(),
  });
}

/**
 * Checks whether a request may read the metrics. If a token is configured, the request must contain it, and may come
 * from anywhere. Otherwise it must come from this machine, not through a proxy, and use one of our own host names. The
 * host name is checked because a web page in a browser on this machine could send requests under a name of its own (DNS
 * rebinding).
 */
function canAsk(
  { headers, socket }: FastifyRequest,
  { token, hosts }: { token: string | undefined; hosts: ReadonlySet<string> },
): boolean {
  if (token !== undefined) return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);
  return !isPassedOn && isLoopback(socket.remoteAddress ?? '') && isOurs(headers.host ?? '', hosts);
}

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

function isOurs(host: string, hosts: ReadonlySet<string>): boolean {
  const address = `http://${host}`;
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname;
  return hosts.has(name) || /^127(?:\.\d{1,3}){3}$/.test(name);
}

const hostName = (host: string): string => (isIPv6(host) ? `[${host}]` : host.toLowerCase());

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const UNKNOWN: NonNullable<Gauges['database']> = {
  jobs: { due: NaN, running: NaN, failed: NaN },
  oldestJobSeconds: NaN,
  unsealedSeconds: NaN,
  brokenTrails: NaN,
};

function openStanding(registry: Registry): (standing: Gauges) => void {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const directory = gauge('stet_data_directory_up', '1 if the data directory exists and can be written, otherwise 0');
  const backupAt = gauge(
    'stet_backup_last_success_timestamp_seconds',
    'When the last successful backup was made, in seconds since 1970; 0 if there is none',
  );
  const backupBytes = gauge('stet_backup_last_success_bytes', 'Size of the last successful backup');
  const backupVerified = gauge(
    'stet_backup_last_success_verified',
    '1 if the last successful backup was verified by restoring it, otherwise 0',
  );
  const backupFailed = gauge('stet_backup_failed', '1 if the last attempt to make a backup failed, otherwise 0');
  const up = gauge('stet_database_up', '1 if PostgreSQL responds, otherwise 0');
  const pool = gauge(
    'stet_database_connections',
    'Database connections for requests that are in use (busy) or free (idle)',
    'state',
  );
  const waiting = gauge('stet_database_waiting', 'Requests that are waiting for a database connection');
  const jobs = gauge(
    'stet_jobs',
    'Background jobs that are due, running, or failed too often and are no longer retried (given_up)',
    'state',
  );
  const oldest = gauge('stet_jobs_oldest_seconds', 'How long the oldest due background job has been waiting');
  const unsealed = gauge(
    'stet_audit_unsealed_seconds',
    'Age of the oldest audit event without a signed checkpoint; up to two minutes is normal',
  );
  const broken = gauge(
    'stet_audit_broken_trails',
    'Audit trails whose last verification found a problem, for example a changed event',
  );
  return (standing) => {
    directory.set(standing.hasDataDirectory ? 1 : 0);
    const { success, failure } = standing.lastBackup;
    backupAt.set(success ? Date.parse(success.at) / 1000 : 0);
    backupBytes.set(success?.bytes ?? 0);
    backupVerified.set(success?.verified ? 1 : 0);
    backupFailed.set(failure ? 1 : 0);
    up.set(standing.database ? 1 : 0);
    pool.set({ state: 'busy' }, standing.pool.busy);
    pool.set({ state: 'idle' }, standing.pool.idle);
    waiting.set(standing.pool.waiting);
    // An unknown value must not be reported as zero.
    const known = standing.database ?? UNKNOWN;
    jobs.set({ state: 'due' }, known.jobs.due);
    jobs.set({ state: 'running' }, known.jobs.running);
    jobs.set({ state: 'given_up' }, known.jobs.failed);
    oldest.set(known.oldestJobSeconds);
    unsealed.set(known.unsealedSeconds);
    broken.set(known.brokenTrails);
  };
}
