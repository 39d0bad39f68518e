import type { Conformance, InsightsOverview, RunSummary, WorkflowInsights } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovedClock, moveClock } from '../../demo/moved-clock.ts';
import { mailerTo } from '../../demo/stage.ts';
import { SERVER_ROLE, ensureServerRole } from '../../db/roles.ts';
import { createTestDatabase } from '../../testing/database.ts';
import {
  type ExportedEvent,
  InsightsOracle,
  type PlayedRun,
  grouped,
  readExport,
} from '../../testing/insights/oracle.ts';
import { VERSIONS, playRandomRuns, stepsOf } from '../../testing/insights/play.ts';
import { joinOrganization, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServerOn } from '../../testing/server.ts';
import { executeStep } from '../runs/execution/execute-step.job.ts';
import { followTrails, recount } from './follow-trail.ts';

/** INSIGHTS_RUNS=1000 plays a thousand. */
const RUNS = Number(process.env['INSIGHTS_RUNS'] ?? 60);
const KEYS = Object.keys(VERSIONS);
const DAY = 86_400_000;
const WEEK = [...Array.from({ length: 5 }, () => [{ from: 540, to: 1020 }]), [], []];
const isOffice = (at: number): boolean => {
  const date = new Date(at);
  return date.getUTCDay() % 6 !== 0 && date.getUTCHours() >= 9 && date.getUTCHours() < 17;
};

describe('the figures of random runs', () => {
  let server: TestServer;
  let clock: MovedClock;
  let owner: Person;
  let played: PlayedRun[] = [];
  let events: ExportedEvent[] = [];
  let oracle: InsightsOracle;
  let database: pg.Client;

  beforeAll(
    async () => {
      const seed = Number(process.env['INSIGHTS_SEED'] ?? Date.now() % 1_000_000);
      process.stdout.write(`INSIGHTS_SEED=${seed}\n`);
      const created = await createTestDatabase();
      database = new pg.Client(created.connection);
      await database.connect();
      const served = await ensureServerRole(created.connection);
      clock = await moveClock(database, SERVER_ROLE, Date.now() - 35 * DAY);
      server = await startTestServerOn(created, {}, { migratedDatabase: served });
      const team = await teamOf(server, ['editor', 'reviewer']);
      ({ owner } = team);
      // The owner can do this alone while there is no other manager.
      const hours = { timeZone: 'UTC', week: WEEK, holidays: [] };
      await owner.patch(`/api/organizations/${team.orgId}/working-hours`, { workingHours: hours });
      const [admin, second] = [
        await server.signUp({ name: 'The admin' }),
        await server.signUp({ name: 'The other reviewer' }),
      ];
      await joinOrganization(server, admin, team.orgId, 'admin');
      await joinOrganization(server, second, team.orgId, 'reviewer');
      const people = [team.owner, admin, team.editor, team.reviewer, second] as const;
      const members = [team.owner.user.id, team.editor.user.id];
      await owner.post('/api/groups', { name: 'Finance', slug: 'finance', members });
      played = await playRandomRuns({
        people,
        author: team.editor,
        reviewer: team.reviewer,
        clock,
        seed,
        runs: RUNS,
        signInAgain: async () => {
          for (const person of people) {
            const account = { email: person.user.email, password: 'a long enough one' };
            const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', account);
            Object.assign(person, { ...server.as(token), token });
          }
        },
        execute: async ({ runId, stepId }) => {
          const [active] = await server.sql<{ activation: number }>(
            `select activation from run_steps where run_id = $1 and step_id = $2 and state = 'active'`,
            [runId, stepId],
          );
          if (!active) return;
          const { activation } = active;
          await executeStep(
            server.server.deps,
            mailerTo(() => {}),
            { orgId: team.orgId, runId, stepId, activation },
          );
        },
      });
      const uncounted = () =>
        server.sql(
          `select from audit_heads h left join insight_cursors c using (org_id) where h.seq > coalesce(c.seq, 0)`,
        );
      while ((await uncounted()).length > 0) await followTrails(server.server.deps);
      events = readExport(String((await owner.call<string>('GET', '/api/audit/export.ndjson')).body));
      oracle = new InsightsOracle(events, played, stepsOf, isOffice);
    },
    RUNS * 2000 + 120_000,
  );
  afterAll(async () => {
    await clock.putBack();
    await database.end();
    await server.stop();
  });

  const idsOf = (key: string, version: number): string[] => stepsOf({ key, version }).map(({ id }) => id);

  it('are about runs of every kind', () => {
    expect(played).toHaveLength(RUNS);
    const all = oracle.runs.flatMap(({ endedAs, findings }) => [
      String(endedAs),
      ...findings.map((each) => each.split(' ')[0]),
    ]);
    for (const kind of [
      'completed',
      'cancelled',
      'failed',
      'null',
      'step_skipped',
      'done_by_other',
      'approved_at_once',
      'evidence_missing',
      'no_reaction',
    ])
      expect(all, kind).toContain(kind);
    const actions = new Set(events.map(({ action }) => action));
    for (const action of [
      'step.rejected',
      'step.reset',
      'step.handed_over',
      'step.claimed',
      'run.paused',
      'run.resumed',
    ])
      expect(actions).toContain(action);
    expect(new Set(played.map(({ key, version }) => `${key} ${version}`)).size).toBe(6);
  });

  describe.each(KEYS)('of %s', (key) => {
    it.each([null, 1, 2])('equal those of an oracle that reads the exported trail (version: %s)', async (version) => {
      const found = await owner.get<WorkflowInsights>(
        `/api/workflows/${key}/insights${version === null ? '' : `?version=${version}`}`,
      );
      const { paths, steps, ...expected } = oracle.insights(key, version, idsOf(key, version ?? 2));
      const { runs, weeks, versions } = found;
      expect({ runs, weeks, versions }).toEqual(expected);
      expect(found.steps.map(({ title: _t, type: _y, doneBy: _d, people: _p, ...rest }) => rest)).toEqual(steps);
      expect(new Map(found.paths.listed.map(({ stepIds, runs: count }) => [stepIds.join('\n'), count]))).toEqual(paths);
      expect(found.paths).toMatchObject({ others: 0, runs: runs.completed });
    });

    it('compare the versions with the same result as the oracle', async () => {
      const { change } = await owner.get<WorkflowInsights>(`/api/workflows/${key}/insights`);
      expect(change).toMatchObject({ before: 1, after: 2 });
      for (const [side, version] of [
        ['before', 1],
        ['after', 2],
      ] as const) {
        const medians = oracle.medians(key, version);
        for (const measure of ['calendar', 'working', 'waiting', 'handling'] as const)
          expect(change?.measures[measure][side]).toEqual({ runs: medians.runs, p50: medians[measure] });
        for (const step of change?.steps ?? [])
          expect(step[side]).toEqual(medians.steps.get(step.stepId) ?? { runs: 0, p50: null });
      }
    });

    it('name the same deviations as the oracle, and nothing else', async () => {
      const all: string[] = [];
      let counts: Conformance['counts'] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const reply: Awaited<ReturnType<Person['call']>> = await owner.call(
          'GET',
          `/api/workflows/${key}/conformance?limit=200${more}`,
        );
        const body = reply.body as Conformance;
        ({ counts } = body);
        all.push(...body.findings.map(({ run, kind, step }) => `${run.id} ${kind} ${step.id}`));
        cursor = reply.headers.get('x-next-cursor');
      }
      const expected = oracle.findings(key, null).map((each) => each.split(' ').slice(0, 3).join(' '));
      expect(all.sort()).toEqual(expected.sort());
      const counted = grouped(expected, (each) => each.split(' ').slice(1).join(' '));
      expect(new Map(counts.map(({ kind, stepId, findings }) => [`${kind} ${stepId}`, findings]))).toEqual(
        new Map([...counted].map(([kind, list]) => [kind, list.length])),
      );
    });

    it('lead to the runs that the oracle finds', async () => {
      const found = await owner.get<WorkflowInsights>(`/api/workflows/${key}/insights`);
      for (const { stepId, inRuns } of found.steps)
        for (const [outcome, count] of Object.entries(inRuns)) {
          const figure = `${outcome}:${stepId}`;
          const expected = oracle.runsBehind(key, figure);
          expect(count).toBe(expected.length);
          const ids: string[] = [];
          for (let cursor: string | null = ''; cursor !== null;) {
            const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
            const reply: Awaited<ReturnType<Person['call']>> = await owner.call(
              'GET',
              `/api/runs?workflow=${key}&figure=${figure}&limit=50${more}`,
            );
            ids.push(...(reply.body as RunSummary[]).map(({ id }) => id));
            cursor = reply.headers.get('x-next-cursor');
          }
          expect(ids.sort()).toEqual(expected.sort());
        }
    });

    it('have the load of the oracle, and its numbers of runs by person', async () => {
      const found = await owner.get<WorkflowInsights>(`/api/workflows/${key}/insights?people=true`);
      const load = found.load.map(({ who, week, arrived, done }) => `${who} ${week} ${arrived} ${done}`);
      expect(load.sort()).toEqual(oracle.load(key, events));
      for (const { stepId, people } of found.steps) {
        const { named, others } = oracle.people(key, stepId);
        const shown = people?.filter(({ person }) => person !== null) ?? [];
        expect(new Map(shown.map(({ person, runs }) => [person?.id, runs]))).toEqual(named);
        expect(people?.find(({ person }) => person === null)?.runs ?? 0).toBe(others);
      }
    });

    it('are the same in the CSV file', async () => {
      const { runs, steps } = oracle.insights(key, null, idsOf(key, 2));
      const { body } = await owner.call<string>('GET', `/api/workflows/${key}/insights.csv`);
      const rows = body.split(/\r?\n/).map((line) =>
        line
          .replace(/^\u{feff}/u, '')
          .slice(1, -1)
          .split('","'),
      );
      const valueOf = (part: string, name: string, figure: string) =>
        rows.find((row) => row[0] === part && row[1] === name && row[2] === figure)?.[3];
      expect(valueOf('All runs', '', 'Completed')).toBe(String(runs.completed));
      expect(valueOf('All runs', '', 'Median time')).toBe(String(runs.times.calendar.p50 ?? ''));
      for (const { stepId, visits, inRuns, times } of steps) {
        const title = VERSIONS[key]?.[1]?.find(({ id }) => id === stepId)?.title ?? '';
        expect(valueOf('Step', title, 'Times active')).toBe(String(visits));
        expect(valueOf('Step', title, 'Runs in which it was late')).toBe(String(inRuns.late));
        expect(valueOf('Step', title, '90th percentile time')).toBe(String(times.calendar.p90 ?? ''));
      }
    });
  });

  it('of the organization equal those of the oracle', async () => {
    const found = await owner.get<InsightsOverview>('/api/insights/overview');
    const expected = KEYS.map((key) => {
      const { runs } = oracle.insights(key, null, []);
      const { started, ended, completed, sla } = runs;
      return { key, started, ended, completed, sla, findings: oracle.findings(key, null).length };
    });
    expect(found.workflows.map(({ title: _t, ...rest }) => rest)).toEqual(
      expected.toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    );
    const load = found.load.map(({ who, week, arrived, done }) => `${who} ${week} ${arrived} ${done}`);
    expect(load.sort()).toEqual(oracle.load(null, events));
    const { body } = await owner.call<string>('GET', '/api/insights/overview.csv');
    for (const { key, started, ended, completed, sla, findings } of expected)
      expect(body).toMatch(
        new RegExp(
          `"${key}","[^"]*","${started}","${ended}","${completed}","${sla.timed}","${sla.kept}","${findings}"`,
        ),
      );
  });

  it('are the same after they have been counted again', async () => {
    const figures = () => Promise.all(KEYS.map((key) => owner.get<WorkflowInsights>(`/api/workflows/${key}/insights`)));
    const plain = async () => (await figures()).map(({ asOf: _a, ...rest }) => rest);
    const before = await plain();
    await recount(server.server.deps, owner.user.currentOrgId ?? '', 97);
    expect(await plain()).toEqual(before);
  });
});
