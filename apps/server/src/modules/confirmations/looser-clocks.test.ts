import type { Confirmation, Escalation, OkOf, WorkingHours } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../testing/organization.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

type Hours = OkOf<'PATCH /api/organizations/{id}/working-hours'>;

const OFFICE = [{ from: 540, to: 1020 }];
const office = (change: Partial<WorkingHours> = {}): WorkingHours => ({
  timeZone: 'UTC',
  week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, [], []],
  holidays: [],
  ...change,
});
const SATURDAYS_TOO = office({ week: [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, []] });
const SHORT_MONDAYS = office({ week: [[{ from: 540, to: 600 }], OFFICE, OFFICE, OFFICE, OFFICE, [], []] });
// A Friday that will still be in the future whenever the tests run.
const HOLIDAY = '2099-12-25';

describe('a change to working hours or to an escalation', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  const saveHours = (by: Person, orgId: string, workingHours: WorkingHours | null): Promise<Reply<Hours>> =>
    by.call('PATCH', `/api/organizations/${orgId}/working-hours`, { workingHours });
  const hoursOf = (by: Person, orgId: string): Promise<Hours> => by.get(`/api/organizations/${orgId}/working-hours`);
  const setHours = (orgId: string, hours: WorkingHours): Promise<unknown> =>
    server.sql('update organizations set working_hours = $2 where id = $1', [orgId, JSON.stringify(hours)]);
  const waitingFor = async (by: Person): Promise<Confirmation | undefined> =>
    (await by.get<Confirmation[]>('/api/confirmations'))[0];
  const events = async (orgId: string, action: string): Promise<object[]> =>
    (
      await server.sql<{ payload: string }>(
        'select payload from audit_events where org_id = $1 and action = $2 order by seq',
        [orgId, action],
      )
    ).map(({ payload }) => (JSON.parse(payload) as { data: object }).data);

  it('waits for another manager’s confirmation if it shortens working hours', async () => {
    const { owner, admin, editor, orgId } = await teamOf(server, ['admin', 'editor']);
    await setHours(orgId, office());
    const proposed = await saveHours(owner, orgId, SHORT_MONDAYS);
    expect(proposed).toMatchObject({
      status: 200,
      body: { workingHours: office(), pending: { workingHours: SHORT_MONDAYS, proposedBy: { id: owner.user.id } } },
    });
    expect(await hoursOf(editor, orgId)).toEqual(proposed.body);
    const waiting = await waitingFor(admin);
    expect(waiting).toMatchObject({
      kind: 'working_hours',
      subjectId: orgId,
      payload: { workingHours: SHORT_MONDAYS },
    });
    expect(waiting?.sentence).toContain('Mon 09:00–10:00, Tue–Fri 09:00–17:00 (UTC)');
    // If the same change is proposed again, no other proposal is created.
    expect((await saveHours(owner, orgId, SHORT_MONDAYS)).body).toEqual(proposed.body);
    expect((await waitingFor(admin))?.id).toBe(waiting?.id);
    expect((await owner.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(403);
    expect((await admin.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
    expect(await hoursOf(editor, orgId)).toEqual({ workingHours: SHORT_MONDAYS, pending: null });
    expect(await events(orgId, 'policy.changed')).toMatchObject([
      { before: { workingHours: office() }, after: { workingHours: SHORT_MONDAYS }, proposedBy: owner.user.id },
    ]);
  });

  it.each([
    ['a different time zone', office({ timeZone: 'Europe/Lisbon' })],
    ['two holidays', office({ holidays: ['2099-12-24', HOLIDAY] })],
    ['no working hours', null],
  ])('waits for confirmation if working hours change to %s', async (_, wanted) => {
    const { owner, orgId } = await teamOf(server, ['admin']);
    await setHours(orgId, office());
    expect((await saveHours(owner, orgId, wanted)).body).toMatchObject({
      workingHours: office(),
      pending: { workingHours: wanted },
    });
  });

  it('takes effect immediately and ends a pending proposal if it tightens clocks or adds one future holiday', async () => {
    const { owner, admin, orgId } = await teamOf(server, ['admin']);
    await setHours(orgId, office());
    await saveHours(admin, orgId, SHORT_MONDAYS);
    expect((await saveHours(owner, orgId, SATURDAYS_TOO)).body).toEqual({ workingHours: SATURDAYS_TOO, pending: null });
    expect(await waitingFor(owner)).toBeUndefined();
    const wanted = { ...SATURDAYS_TOO, holidays: [HOLIDAY] };
    expect((await saveHours(owner, orgId, wanted)).body).toEqual({ workingHours: wanted, pending: null });
  });

  it('counts removed holidays toward the thirty that one manager can add per calendar year', async () => {
    const { owner, orgId } = await teamOf(server, ['admin']);
    const thirty = Array.from({ length: 30 }, (_, n) => `2099-11-${String(n + 1).padStart(2, '0')}`);
    await setHours(orgId, office({ holidays: thirty }));
    expect((await saveHours(owner, orgId, office())).body).toMatchObject({ workingHours: office(), pending: null });
    const one = office({ holidays: [HOLIDAY] });
    expect((await saveHours(owner, orgId, one)).body).toMatchObject({
      workingHours: office(),
      pending: { workingHours: one },
    });
    // The limit applies to each calendar year separately.
    const next = office({ holidays: ['2098-12-25'] });
    expect((await saveHours(owner, orgId, next)).body).toMatchObject({ workingHours: next, pending: null });
  });

  it('waits for confirmation if it adds the 31st holiday of a year', async () => {
    const { owner, orgId } = await teamOf(server, ['admin']);
    const thirty = Array.from({ length: 30 }, (_, n) => `2099-03-${String(n + 1).padStart(2, '0')}`);
    await setHours(orgId, office({ holidays: thirty }));
    const more = office({ holidays: [...thirty, HOLIDAY] });
    expect((await saveHours(owner, orgId, more)).body).toMatchObject({ pending: { workingHours: more } });
  });

  it('takes effect immediately for the only manager, but is refused if another manager has just lost that role', async () => {
    const { owner, orgId } = await teamOf(server, ['editor']);
    await setHours(orgId, office());
    expect((await saveHours(owner, orgId, SHORT_MONDAYS)).body).toEqual({ workingHours: SHORT_MONDAYS, pending: null });
    expect(await events(orgId, 'policy.changed')).toMatchObject([{ note: 'alone: no other proved owner or admin' }]);

    const left = await teamOf(server, ['admin']);
    await setHours(left.orgId, office());
    await left.owner.patch(`/api/organizations/${left.orgId}/users/${left.admin.user.id}`, { role: 'viewer' });
    expect(await saveHours(left.owner, left.orgId, SHORT_MONDAYS)).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet' },
    });
    expect((await hoursOf(left.owner, left.orgId)).workingHours).toEqual(office());
  });

  it('is refused to an unproved person if it weakens an escalation and a proved manager could make it', async () => {
    const { owner, orgId } = await teamOf(server, ['editor']);
    const key = 'by-a-guest';
    const steps = [{ id: 'pay', title: 'Pay', sla: '1 day' }];
    await owner.post(`/api/workflows/${key}/drafts`, { metadata: { title: 'Paying' }, steps });
    const guest = await server.signUp({ proved: false });
    const { link } = await owner.post<{ link: string }>(`/api/organizations/${orgId}/invitations`, {
      email: guest.user.email,
      role: 'reviewer',
    });
    await guest.post(`/api/invitations/${link.split('/').at(-1)}/join`);
    const save = (by: Person, recipients: string[]): Promise<Reply<Escalation>> =>
      by.call('PATCH', `/api/workflows/${key}/escalation`, { tell: recipients, againAfterMinutes: null });
    expect((await save(guest, ['owner'])).status).toBe(200);
    expect(await save(guest, [])).toMatchObject({
      status: 409,
      body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'proof' }] },
    });
    expect((await save(owner, [])).body).toMatchObject({ tell: [], pending: null });
  });

  it('waits if an escalation reaches fewer people or repeats less often, but takes effect immediately if stronger', async () => {
    const { owner, admin, editor, reviewer, orgId } = await teamOf(server, ['admin', 'editor', 'reviewer']);
    const key = 'escalated';
    await publish(editor, reviewer, key);
    const path = `/api/workflows/${key}/escalation`;
    const save = (by: Person, recipients: string[], againAfterMinutes: number | null): Promise<Reply<Escalation>> =>
      by.call('PATCH', path, { tell: recipients, againAfterMinutes });
    const strong = { tell: ['owner', 'admin'], againAfterMinutes: 60 };
    expect((await save(reviewer, ['owner', 'admin'], 60)).body).toMatchObject({ ...strong, pending: null });
    for (const [tell, again] of [
      [['owner'], 60],
      [['owner', 'admin'], 90],
      [['owner', 'admin'], null],
    ] as const)
      expect((await save(reviewer, [...tell], again)).body).toMatchObject({
        ...strong,
        pending: { tell, againAfterMinutes: again, proposedBy: { id: reviewer.user.id } },
      });
    const waiting = await waitingFor(owner);
    expect(waiting).toMatchObject({ kind: 'escalation', payload: { key, againAfterMinutes: null } });
    expect(waiting?.sentence).toContain('owner, admin, again every 60 minutes → owner, admin, once');
    expect((await admin.call('POST', `/api/confirmations/${waiting?.id}/confirm`)).status).toBe(200);
    expect(await editor.get(path)).toMatchObject({ tell: ['owner', 'admin'], againAfterMinutes: null, pending: null });
    expect((await events(orgId, 'escalation.changed')).at(-1)).toMatchObject({
      before: strong,
      proposedBy: reviewer.user.id,
    });

    await save(owner, ['owner'], null);
    const again = await waitingFor(admin);
    await admin.post(`/api/confirmations/${again?.id}/refuse`, { reason: 'No' });
    expect(await editor.get(path)).toMatchObject({ tell: ['owner', 'admin'], pending: null });
  });
});
