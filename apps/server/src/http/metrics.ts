import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Deps } from '../kernel/deps.ts';
import type { Gauges } from '../kernel/gauges.ts';
import { Refused } from '../kernel/refused.ts';

/** `GET /metrics` for Prometheus: the process, requests by route, method and status, and how the installation stands. */
export function openMetrics(app: FastifyInstance, { config, gauges }: Pick<Deps, 'config' | 'gauges'>): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  const show = openStanding(registry);
  app.addHook('onResponse', async (request, reply) => {
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode };
    requests.observe(labels, reply.elapsedTime / 1000);
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayAsk(request, config.metricsToken)) throw new Refused({ code: 'not_found', what: 'route' });
    show(await gauges());
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** Whoever has the token; where none is set, this machine itself, as far as no proxy has come in between. */
function mayAsk({ headers, socket }: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
  const isPassedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers[name] !== undefined);
  return !isPassedOn && /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const UNKNOWN: NonNullable<Gauges['database']> = {
  jobs: { due: NaN, running: NaN, givenUp: NaN },
  oldestJobSeconds: NaN,
  unsealedSeconds: NaN,
  brokenTrails: NaN,
};

function openStanding(registry: Registry): (standing: Gauges) => void {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge('stet_database_up', 'Whether PostgreSQL answers');
  const pool = gauge('stet_database_connections', 'Connections that requests share', 'state');
  const waiting = gauge('stet_database_waiting', 'Requests that wait for a connection');
  const jobs = gauge('stet_jobs', 'Jobs that are due, are being done, or were given up', 'state');
  const oldest = gauge('stet_jobs_oldest_seconds', 'For how long the oldest due job has waited');
  const unsealed = gauge('stet_audit_unsealed_seconds', 'Age of the oldest audit event without a signed checkpoint');
  const broken = gauge('stet_audit_broken_trails', 'Audit trails whose last verification found a change');
  return (standing) => {
    up.set(standing.database ? 1 : 0);
    pool.set({ state: 'busy' }, standing.pool.busy);
    pool.set({ state: 'idle' }, standing.pool.idle);
    waiting.set(standing.pool.waiting);
    // What nobody knows is not zero.
    const known = standing.database ?? UNKNOWN;
    jobs.set({ state: 'due' }, known.jobs.due);
    jobs.set({ state: 'running' }, known.jobs.running);
    jobs.set({ state: 'given_up' }, known.jobs.givenUp);
    oldest.set(known.oldestJobSeconds);
    unsealed.set(known.unsealedSeconds);
    broken.set(known.brokenTrails);
  };
}
