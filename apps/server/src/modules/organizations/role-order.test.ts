import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';
import { act, complete, start } from '../../testing/runs.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { found, add, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

const mailed = { mailed: true };

describe('the history of a role that two managers change at the same time', () => {
  it('has the order of the commits, even if the last change began first', async () => {
    const doer = await found(true);
    const other = await add(doer, 'admin', mailed);
    const approver = await add(doer, 'viewer', mailed);
    await publish(doer, other, 'pay', [
      { id: 'work', title: 'Work', next: ['check'] },
      {
        id: 'check',
        title: 'Check',
        type: 'approval',
        assignee: 'reviewer',
        config: { separateFrom: true },
        next: [],
      },
    ]);
    const { id } = await start(doer, 'pay');

    const client = new pg.Client(server.database.connection);
    await client.connect();
    try {
      // The doer's transaction begins, and then the other manager's change is committed.
      await client.query('begin');
      await client.query('select now()');
      expect((await setRole(other, approver, 'editor')).status).toBe(200);
      await client.query(`update memberships set role = 'reviewer', given_by = $2 where user_id = $1`, [
        approver.user.id,
        doer.user.id,
      ]);
      await client.query('commit');
    } finally {
      await client.end();
    }

    const history = await server.sql<{ role: string; given_by: string; ends_later: boolean }>(
      `select role, given_by, coalesce(until, 'infinity') > since as ends_later from role_history where user_id = $1 order by since`,
      [approver.user.id],
    );
    const by = (role: string, { user }: typeof doer) => ({ role, given_by: user.id, ends_later: true });
    expect(history).toEqual([by('viewer', doer), by('editor', other), by('reviewer', doer)]);
    await complete(doer, id, 'work');
    expect(await act(approver, id, 'check', 'approve')).toMatchObject(refused(403, 'added_during_run'));
  });
});
