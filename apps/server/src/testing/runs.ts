import type { Run, RunSummary } from '@stet/contract';
import type { Person, Reply, TestServer } from './server.ts';

/** Starts a run of a live workflow. */
export const start = (person: Person, key: string, name = 'A run'): Promise<Run> =>
  person.post<Run>('/api/runs', { key, name });

export const runOf = (person: Person, runId: string): Promise<Run> => person.get<Run>(`/api/runs/${runId}`);

/** Lists the runs for a query, for example `?status=running`. */
export const listRuns = (person: Person, query = ''): Promise<RunSummary[]> =>
  person.get<RunSummary[]>(`/api/runs${query}`);

/** Acts on a step: `complete`, `skip`, `approve`, `reject`, `retry`, `claim`, `release` or `hand-over`. */
export const act = (
  person: Person,
  runId: string,
  stepId: string,
  action: string,
  body?: object,
): Promise<Reply<{ message: string; run: Run }>> =>
  person.call('POST', `/api/runs/${runId}/steps/${stepId}/${action}`, body);

export const complete = (person: Person, runId: string, stepId: string, text = 'Done'): ReturnType<typeof act> =>
  act(person, runId, stepId, 'complete', { output: { text } });

const TIME_KEYS = new Set([
  'startedAt',
  'activatedAt',
  'dueAt',
  'completedAt',
  'skippedAt',
  'failedAt',
  'endedAt',
  'pausedSince',
  'updatedAt',
  'at',
  'atRiskAt',
  'riskAt',
  'crossedAt',
]);

/**
 * Shifts the stored times of a run, and of the roles and group memberships in its organization, back by `ms`, as if
 * that much time had passed.
 */
export async function letTimePass({ sql }: TestServer, runId: string, ms: number): Promise<void> {
  const shiftTimes = async (): Promise<boolean> => {
    const [row] = await sql<{ state: unknown; summary: unknown; xmin: string }>(
      'select state, summary, xmin::text as xmin from runs where id = $1',
      [runId],
    );
    // Repeats this if the server has written to the run in the meantime.
    const rows = await sql(
      `update runs
       set state = $2, summary = $3, created_at = created_at - make_interval(secs => $4), at_risk_at = at_risk_at - make_interval(secs => $4),
           breach_at = breach_at - make_interval(secs => $4), clock_stopped_at = clock_stopped_at - make_interval(secs => $4),
           ended_at = ended_at - make_interval(secs => $4), next_crossing_at = next_crossing_at - make_interval(secs => $4),
           next_due_at = next_due_at - make_interval(secs => $4)
       where id = $1 and xmin::text = $5
       returning id`,
      [
        runId,
        JSON.stringify(shiftBack(row?.state, ms)),
        JSON.stringify(shiftBack(row?.summary, ms)),
        ms / 1000,
        row?.xmin,
      ],
    );
    return rows.length > 0 || row === undefined;
  };
  while (!(await shiftTimes()));
  await sql(
    `update role_history h set since = h.since - make_interval(secs => $2), until = h.until - make_interval(secs => $2)
     from runs r where r.id = $1 and h.org_id = r.org_id`,
    [runId, ms / 1000],
  );
  await sql(
    `update group_members m set added_at = m.added_at - make_interval(secs => $2) from runs r where r.id = $1 and m.org_id = r.org_id`,
    [runId, ms / 1000],
  );
  await sql(
    'update run_steps set first_activated_at = first_activated_at - make_interval(secs => $2) where run_id = $1',
    [runId, ms / 1000],
  );
  for (const table of ['open_runs', 'run_tasks'])
    await sql(`update ${table} set started_at = started_at - make_interval(secs => $2) where run_id = $1`, [
      runId,
      ms / 1000,
    ]);
}

function shiftBack(value: unknown, ms: number): unknown {
  if (Array.isArray(value)) return value.map((item) => shiftBack(item, ms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      TIME_KEYS.has(key) && typeof inner === 'number' ? inner - ms : shiftBack(inner, ms),
    ]),
  );
}
