import type { InsightsOverview, WorkflowReviews } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovedClock, moveClock } from '../../demo/moved-clock.ts';
import { SERVER_ROLE, ensureServerRole } from '../../db/roles.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { ReviewsOracle, playRandomReviews } from '../../testing/insights/reviews.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServerOn } from '../../testing/server.ts';
import { followTrails, recount } from './follow-trail.ts';

/** INSIGHTS_ROUNDS=500 plays more reviews. */
const ROUNDS = Number(process.env['INSIGHTS_ROUNDS'] ?? 60);
const KEYS = ['buying', 'hiring', 'paying'];
const DAY = 86_400_000;

describe('the figures of random reviews', () => {
  let server: TestServer;
  let clock: MovedClock;
  let owner: Person;
  let oracle: ReviewsOracle;
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
      const team = await teamOf(server, ['editor', 'reviewer', 'admin']);
      ({ owner } = team);
      const second = await server.signUp({ name: 'The other reviewer' });
      await joinOrganization(server, second, team.orgId, 'reviewer');
      const people = [owner, team.admin, team.editor, team.reviewer, second];
      const signInAgain = async () => {
        for (const person of people) {
          const account = { email: person.user.email, password: 'a long enough one' };
          const { token } = await server.anyone.post<{ token: string }>('/api/auth/login', account);
          Object.assign(person, { ...server.as(token), token });
        }
      };
      // A workflow without a live version would disappear with its last draft.
      for (const key of KEYS) await publish(team.editor, team.reviewer, key);
      await playRandomReviews({
        keys: KEYS,
        authors: [team.editor, team.admin],
        reviewers: [team.reviewer, second, team.admin],
        owner,
        clock,
        seed,
        rounds: ROUNDS,
        signInAgain,
      });
      const uncounted = () =>
        server.sql(
          `select from audit_heads h left join insight_cursors c using (org_id) where h.seq > coalesce(c.seq, 0)`,
        );
      while ((await uncounted()).length > 0) await followTrails(server.server.deps);
      oracle = new ReviewsOracle(String((await owner.call<string>('GET', '/api/audit/export.ndjson')).body));
    },
    ROUNDS * 2000 + 120_000,
  );
  afterAll(async () => {
    await clock.putBack();
    await database.end();
    await server.stop();
  });

  const reviewsOf = (key: string, query = '') =>
    owner.get<WorkflowReviews>(`/api/workflows/${key}/insights/reviews${query}`);
  /** The versions that a workflow has, null for all reviews, and 0 for those of drafts that didn't go live. */
  const versionsOf = (key: string): (number | null)[] => [
    null,
    0,
    ...oracle.figures(key, null).versions.flatMap(({ version }) => version ?? []),
  ];

  it('are about decisions of both kinds, in several rounds and versions', () => {
    expect(new Set(oracle.all.map(({ decision }) => decision))).toEqual(new Set(['approved', 'changes_requested']));
    expect(new Set(oracle.all.map(({ draftId }) => draftId)).size).toBeLessThan(oracle.all.length);
    expect(oracle.all.some(({ decided, submitted }) => decided > submitted)).toBe(true);
    expect(oracle.all.some(({ version }) => version === null)).toBe(true);
    expect(KEYS.flatMap(versionsOf).length).toBeGreaterThan(3 * KEYS.length);
  });

  it.each(KEYS)('of %s equal those of an oracle that reads the exported trail', async (key) => {
    for (const version of versionsOf(key)) {
      const { all, weeks, versions } = await reviewsOf(key, version === null ? '' : `?version=${version}`);
      expect({ all, weeks, versions }).toEqual(oracle.figures(key, version));
    }
  });

  it.each(KEYS)('of %s lead to the reviews that the oracle finds, in pages and in the CSV file', async (key) => {
    for (const version of versionsOf(key)) {
      const filter = version === null ? '' : `&version=${version}`;
      const listed: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const reply: Awaited<ReturnType<Person['call']>> = await owner.call(
          'GET',
          `/api/workflows/${key}/insights/reviews?limit=3${filter}${more}`,
        );
        const { reviews } = reply.body as WorkflowReviews;
        listed.push(
          ...reviews.map((each) =>
            [each.draftId, each.submittedAt, each.decidedAt, each.decision, each.version].join(' '),
          ),
        );
        cursor = reply.headers.get('x-next-cursor');
      }
      expect(listed).toEqual(oracle.list(key, version));
      const { body } = await owner.call<string>('GET', `/api/workflows/${key}/insights/reviews.csv?${filter.slice(1)}`);
      const rows = body
        .trim()
        .split(/\r?\n/)
        .slice(1)
        .map((line) => line.slice(1, -1).split('","'));
      expect(
        rows.map(([draft, , number, submitted, decided, decision]) =>
          [draft, submitted, decided, decision, number].join(' '),
        ),
      ).toEqual(oracle.list(key, version));
    }
  });

  it.each(KEYS)('of %s lead from each week to its reviews', async (key) => {
    for (const { week, finished } of oracle.figures(key, null).weeks) {
      const found = await reviewsOf(key, `?from=${week}&to=${week}&limit=200`);
      expect([found.all.finished, found.reviews.length]).toEqual([finished, finished]);
    }
  });

  it('of the organization equal those of the oracle', async () => {
    const { finishedReviews } = await owner.get<InsightsOverview>('/api/insights/overview');
    const expected = KEYS.map((key) => ({ key, ...oracle.figures(key, null).all })).filter(
      ({ finished }) => finished > 0,
    );
    expect(finishedReviews.map(({ title: _t, ...rest }) => rest)).toEqual(expected);
    const { body } = await owner.call<string>('GET', '/api/insights/overview.csv');
    for (const { key, finished, p50, p90 } of expected)
      expect(body).toMatch(new RegExp(`"${key}","[^"]*",.*,"${finished}","${p50}","${p90}"\\r?\\n`));
  });

  it('are the same after they have been counted again', async () => {
    const stored = () => server.sql('select * from insight_reviews order by org_id, draft_id, round');
    const before = await stored();
    expect(before).toHaveLength(oracle.all.length);
    await recount(server.server.deps, owner.user.currentOrgId ?? '', 7);
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['/api/workflows/missing/insights/reviews', 404],
    ['/api/workflows/missing/insights/reviews.csv', 404],
    ['/api/workflows/buying/insights/reviews?version=900', 404],
    ['/api/workflows/buying/insights/reviews.csv?version=900', 404],
    ['/api/workflows/buying/insights/reviews?cursor=nonsense', 400],
    ['/api/workflows/buying/insights/reviews?from=2026-02-01&to=2026-01-01', 400],
  ])('refuse %s with %i', async (path, status) => {
    expect((await owner.call('GET', path)).status).toBe(status);
  });
});
