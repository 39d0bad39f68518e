import type { WorkingHours } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../testing/organization.ts';
import { complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';

const hoursOf = (change: Partial<WorkingHours> = {}): WorkingHours => ({
  timeZone: 'Europe/Berlin',
  week: [...Array.from({ length: 5 }, () => [{ from: 540, to: 1020 }]), [], []],
  holidays: [],
  ...change,
});

describe('the working hours of an organization', () => {
  let server: TestServer;
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let path: string;

  beforeAll(async () => {
    server = await startTestServer();
    ({ owner, editor, reviewer } = await teamOf(server, ['editor', 'reviewer']));
    path = `/api/organizations/${owner.user.currentOrgId ?? ''}/working-hours`;
  });
  afterAll(() => server.stop());

  it('are not set at first, are stored in order, and are recorded only if they change', async () => {
    expect(await editor.get(path)).toEqual({ workingHours: null, pending: null });
    const given = hoursOf({ holidays: ['2026-12-26', '2026-12-25', '2026-12-26'] });
    const changedHours = { workingHours: { ...given, holidays: ['2026-12-25', '2026-12-26'] }, pending: null };
    expect(await owner.patch(path, { workingHours: given })).toEqual(changedHours);
    expect(await owner.patch(path, { workingHours: given })).toEqual(changedHours);
    expect(await editor.get(path)).toEqual(changedHours);
    const events = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'policy.changed'`,
      [owner.user.currentOrgId],
    );
    expect(events).toHaveLength(1);
    expect(events[0]?.payload).toContain('Europe/Berlin');
  });

  it.each([
    ['an unknown time zone', hoursOf({ timeZone: 'Moon/Base' }), 'Unknown time zone'],
    [
      'a week without working time',
      hoursOf({ week: [[], [], [], [], [], [], []] }),
      'A week must have at least one working hour',
    ],
    [
      'a day that ends before it starts',
      hoursOf({ week: [[{ from: 600, to: 500 }], [], [], [], [], [], [{ from: 0, to: 600 }]] }),
      /end after/,
    ],
    [
      'a holiday that is not a date',
      hoursOf({ holidays: ['2026-02-30'] }),
      'A holiday must be a date, for example 2026-12-25',
    ],
  ])('are refused with %s', async (_, workingHours, sentence) => {
    expect(await owner.call('PATCH', path, { workingHours })).toMatchObject({
      status: 400,
      body: { code: 'invalid', error: expect.stringMatching(sentence) as unknown },
    });
  });

  it('apply to steps that become active later, without changing existing due times', async () => {
    await owner.patch(path, { workingHours: null });
    await publish(owner, reviewer, 'flow', [
      { id: 'a', title: 'A', sla: '2h', next: ['b'] },
      { id: 'b', title: 'B', sla: '2h', next: [] },
    ]);
    const run = await start(owner, 'flow');
    const due = run.steps[0]?.dueAt;
    expect(Date.parse(due ?? '') - Date.parse(run.steps[0]?.activatedAt ?? '')).toBe(2 * 3_600_000);
    // There is one working hour per week, so a two-hour SLA ends more than a week from now, on a Monday.
    const week = [[{ from: 540, to: 600 }], [], [], [], [], [], []];
    await owner.patch(path, { workingHours: hoursOf({ timeZone: 'UTC', week }) });
    expect((await runOf(owner, run.id)).steps[0]?.dueAt).toBe(due);
    await complete(owner, run.id, 'a');
    const next = (await runOf(owner, run.id)).steps[1];
    expect(Date.parse(next?.dueAt ?? '') - Date.parse(next?.activatedAt ?? '')).toBeGreaterThan(
      7 * 86_400_000 - 3_600_000,
    );
    expect(new Date(next?.dueAt ?? '').getUTCDay()).toBe(1);
  });
});
