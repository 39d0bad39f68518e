import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { type Notification, type Recipients, enqueueNotifications } from './recipients.ts';

describe('notifications in a small organization', () => {
  let server: TestServer;
  let orgId: string;
  let people: Record<'owner' | 'reviewer' | 'viewer' | 'editor' | 'stranger', Person>;
  let runId: string;

  beforeAll(async () => {
    server = await startTestServer();
    const team = await teamOf(server, ['reviewer', 'viewer', 'editor']);
    orgId = team.orgId;
    people = { ...team, stranger: await server.signUp() };
    await publish(team.owner, team.reviewer, 'flow', stepsNamed('First'));
    runId = (await start(team.owner, 'flow')).id;
    const set = `insert into notification_preferences (org_id, user_id, news, channel, pace) values ($1, $2, 'assignments', $3, $4)`;
    for (const [person, channel, pace] of [
      [team.reviewer, 'in-app', 'off'],
      [team.viewer, 'email', 'daily'],
      [team.editor, 'email', 'off'],
    ] as const)
      await server.sql(set, [orgId, person.user.id, channel, pace]);
    // The editor is excluded from the step.
    await server.sql(
      `insert into run_tasks (org_id, run_id, step_id, who, due_at, except_ids, is_decision, started_at, priority_rank, sort_name)
       select $1, id, 'step-1', 'role:editor', 'infinity', array[$3::uuid], false, created_at, priority_rank, sort_name
       from runs where org_id = $1 and id = $2`,
      [orgId, runId, team.editor.user.id],
    );
  });
  afterAll(() => server.stop());

  const notify = async (source: string, more: Partial<Notification>, to: Recipients, isSmall: boolean) => {
    const notification: Notification = {
      source,
      kind: 'step_assigned',
      title: 'First',
      body: 'A step is waiting for you.',
      runId,
      stepId: 'step-1',
      to,
      ...more,
    };
    await server.server.deps.db.transaction({ orgId, userId: null }, async (tx) =>
      enqueueNotifications(tx, orgId, [notification], { isSmall }),
    );
    const rows = await server.sql(
      `select user_id, kind, news, run_id, step_id, workflow_key, draft_id, title, body, is_shown, email, slack, thread
       from notifications where source = $1 order by user_id`,
      [source],
    );
    await server.sql('delete from notifications where source = $1', [source]);
    return rows;
  };

  const all: Record<string, [Recipients, Partial<Notification>?, number?]> = {
    'one role': [{ roles: ['viewer'] }, {}, 1],
    'several roles, of which one appears twice': [{ roles: ['owner', 'viewer', 'owner'] }, {}, 2],
    'a person by address and by role': [{ roles: ['owner'], emails: ['OWNER'] }, {}, 1],
    'people by id, without strangers': [{ userIds: ['owner', 'stranger'] }, {}, 1],
    'all roles except one person': [{ roles: ['owner', 'reviewer', 'viewer'], exceptIds: ['owner'] }, {}, 2],
    'roles in a batch, only in the application': [
      { roles: ['viewer', 'editor'] },
      { batchForRoles: true, namedOnly: true },
      2,
    ],
    'people who can act on the step': [{ roles: ['editor', 'viewer'], canAct: true }, {}, 1],
    'a kind that can’t be turned off': [{ roles: ['reviewer', 'editor'] }, { kind: 'changed_alone' }, 2],
    'a workflow without a run': [{ roles: ['viewer'] }, { runId: null, stepId: null, workflowKey: 'flow' }, 1],
    'roles except one person, only in the application': [
      { roles: ['owner', 'reviewer', 'viewer', 'owner'], exceptIds: ['owner'] },
      { namedOnly: true },
      2,
    ],
    'roles, only in the application, about something that can’t be turned off': [
      { roles: ['reviewer'] },
      { namedOnly: true, kind: 'changed_alone' },
      1,
    ],
    'a role and a person, of whom only the person is mailed': [
      { roles: ['viewer'], userIds: ['owner'] },
      { namedOnly: true, batchForRoles: true },
      2,
    ],
    'people whose work nobody does': [
      { userIds: ['owner', 'viewer'] },
      { lent: { kind: 'tasks', words: ['Waiting for ', '.'] } },
      2,
    ],
    'an urgent kind': [{ userIds: ['owner', 'viewer', 'editor'] }, { kind: 'sla_breached' }, 3],
  };

  const idsOf = (names: readonly string[] | undefined): string[] =>
    (names ?? []).map((name) => people[name as keyof typeof people].user.id);

  it.each(Object.entries(all))('are the same as those of a large one: %s', async (_, [to, more = {}, count]) => {
    const recipients: Recipients = {
      ...to,
      userIds: idsOf(to.userIds),
      exceptIds: idsOf(to.exceptIds),
      emails: (to.emails ?? []).map(() => people.owner.user.email.toUpperCase()),
    };
    const source = `test:${runId}`;
    const small = await notify(source, more, recipients, true);
    expect(small).toHaveLength(count ?? 0);
    expect(await notify(source, more, recipients, false)).toEqual(small);
  });
});
