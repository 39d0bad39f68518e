import type { Group } from '@stet/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { complete, start } from '../../testing/runs.ts';
import { type TestServer, startTestServer } from '../../testing/server.ts';
import { listTasks } from './tasks.sql.ts';

const STEPS = [
  { id: 'work', title: 'Work', next: ['check'] },
  {
    id: 'check',
    title: 'Check',
    type: 'approval',
    assignee: 'group:finance',
    config: { separateFrom: true },
    next: [],
  },
];
const MEMBERS = 60;
const RUNS = 3;
/** Functions that compare people and read the history of roles. The plan doesn't decide how often they are called. */
const RULES = ['is_confirmed_by_another', 'roles_given_back', 'surely_behind', 'people_behind'];
const IS_TOO_FEW = `select is_too_few($1, $2, 'check') as is`;

describe('finding out who can approve a step', () => {
  let server: TestServer;
  let client: pg.Client;
  beforeAll(async () => {
    server = await startTestServer();
    client = new pg.Client(server.database.connection);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await server.stop();
  });

  /** Executes a query, and returns its rows and how often each function was called. */
  const counted = async (text: string, values: unknown[]) => {
    await client.query(`begin; set local track_functions = 'all'`);
    // PostgreSQL publishes counts at most once a second. Until then, the counts of a transaction include earlier ones.
    const before = await readCalls();
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    const after = await readCalls();
    await client.query('rollback');
    return { rows, callsOf: (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0) };
  };
  const readCalls = async (): Promise<Map<string, number>> => {
    const { rows } = await client.query<{ funcname: string; calls: number }>(
      'select funcname, calls::int from pg_stat_xact_user_functions',
    );
    return new Map(rows.map(({ funcname, calls }) => [funcname, calls]));
  };

  it('doesn’t call the expensive functions once per member of a large group, with the same result as one by one', async () => {
    const { owner, orgId, admin, editor, reviewer, viewer } = await teamOf(server, [
      'admin',
      'editor',
      'reviewer',
      'viewer',
    ]);
    const members = [reviewer.user.id];
    const group = await owner.post<Group>('/api/groups', { name: 'Finance', slug: 'finance', members });
    await publish(owner, reviewer, 'pay', STEPS);
    const ids: string[] = [];
    for (let n = 0; n < RUNS; n += 1) ids.push((await start(editor, 'pay')).id);
    const others = await server.sql<{ id: string }>(
      `insert into users (id, name, email, password_hash, role, proved_by, proved_at)
       select gen_random_uuid(), 'Many', 'many-' || gen_random_uuid() || '@example.com', '', 'viewer', 'mailbox', now()
       from generate_series(1, $1) returning id`,
      [MEMBERS],
    );
    await server.sql(`insert into memberships (org_id, user_id, role) select $1, unnest($2::uuid[]), 'viewer'`, [
      orgId,
      others.map(({ id }) => id),
    ]);
    const twin = await server.signUp({ email: owner.user.email.replace('@', '+two@') });
    await joinOrganization(server, twin, orgId, 'viewer');
    const added = [viewer.user.id, twin.user.id, ...others.map(({ id }) => id)];
    await admin.patch(`/api/groups/${group.id}`, { addMembers: added });
    for (const id of ids) await complete(admin, id, 'work');

    const nil = '00000000-0000-0000-0000-000000000000';
    const mine = await counted(listTasks.text, [
      orgId,
      ['group:finance'],
      [viewer.user.id],
      true,
      201,
      '-infinity',
      nil,
      '',
      false,
      null,
    ]);
    expect(mine.rows).toHaveLength(RUNS);
    expect(mine.rows).toMatchObject(mine.rows.map(() => ({ only_reject: true })));
    expect(mine.callsOf('other_managers')).toBeLessThan(MEMBERS / 4);

    const { rows, callsOf } = await counted(IS_TOO_FEW, [orgId, ids[0]]);
    expect(rows).toEqual([{ is: false }]);
    // The members were added in two requests. PostgreSQL can call a function a few times more, but not once for each
    // member.
    for (const name of ['tainted_roles', 'other_managers', 'addition_comes_from'])
      expect(callsOf(name)).toBeLessThan(MEMBERS / 4);

    // Evaluating the members together or one by one gives the same result. Without strict review, it is the result of
    // the rule for single memberships.
    for (const strict of [false, true]) {
      await server.sql('update organizations set strict = $2 where id = $1', [orgId, strict]);
      const [found] = await server.sql<{ counted: string[]; one_by_one: string[]; by_rule: string[] }>(
        `select array(select unnest(members_of_groups($1, $2, s.since, s.started, $3, '{}')) order by 1) as counted,
                array(select unnest(counted_members($1, $2, m.user_id, s.since, s.started, $3, '{}')) from group_members m
                      where m.org_id = $1 order by 1) as one_by_one,
                array(select m.user_id from group_members m where m.org_id = $1
                        and not is_membership_barred($1, m, s.started, $3) order by 1) as by_rule
         from (select first_activated_at as since, (select created_at from runs r where r.id = run_id) as started
               from run_steps where run_id = $4 and step_id = 'check') s`,
        [orgId, ['group:finance'], [admin.user.id], ids[0]],
      );
      // The owner's other account counts, because the only other manager who could have added it is the owner.
      const known = [reviewer.user.id, twin.user.id].toSorted();
      const counting = strict ? members : known;
      expect(found).toEqual({ counted: counting, one_by_one: counting, by_rule: known });
    }
  });

  it('has a cost that grows at most in proportion to the number of roles given during the run', async () => {
    /**
     * During a run, the owner makes `count` people reviewers and as many admins. Then another manager joins, and one
     * person's role changes `count` times. Returns the cost of finding out whether too few people can approve the
     * owner's work.
     */
    const cost = async (count: number) => {
      const { owner, orgId, editor, reviewer, viewer } = await teamOf(server, ['editor', 'reviewer', 'viewer']);
      await publish(owner, reviewer, 'pay', [
        { id: 'work', title: 'Work', next: ['check'] },
        {
          id: 'check',
          title: 'Check',
          type: 'approval',
          assignee: 'reviewer',
          config: { separateFrom: true, minimumApprovers: 2 },
          next: [],
        },
      ]);
      const { id } = await start(editor, 'pay');
      await server.sql(
        `with added as (
           insert into users (id, name, email, password_hash, role, proved_by, proved_at)
           select gen_random_uuid(), 'Many', 'given-' || gen_random_uuid() || '@example.com', '', 'viewer', 'mailbox', now()
           from generate_series(1, $2) returning id
         )
         insert into memberships (org_id, user_id, role, given_by)
         select $1, id, case when row_number() over () <= $2 / 2 then 'reviewer' else 'admin' end, $3 from added`,
        [orgId, 2 * count, owner.user.id],
      );
      const manager = await server.signUp();
      await joinOrganization(server, manager, orgId, 'admin');
      for (let n = 0; n < count; n += 1)
        await server.sql('update memberships set role = $2, given_by = $3 where user_id = $1', [
          viewer.user.id,
          n % 2 === 0 ? 'reviewer' : 'editor',
          (n % 4 < 2 ? manager : owner).user.id,
        ]);
      await complete(owner, id, 'work');
      // The first evaluation also plans the queries.
      await counted(IS_TOO_FEW, [orgId, id]);
      const evaluation = await counted(IS_TOO_FEW, [orgId, id]);
      // Only one reviewer had the role before the run, so everyone is evaluated.
      expect(evaluation.rows).toEqual([{ is: true }]);
      for (const name of ['tainted_roles', 'other_managers']) expect(evaluation.callsOf(name)).toBeLessThan(5);
      return RULES.reduce((sum, name) => sum + evaluation.callsOf(name), 0);
    };
    const [some, twice] = [await cost(20), await cost(40)];
    expect(some).toBeGreaterThan(20);
    expect(twice / some).toBeLessThan(2.2);
  });
});
