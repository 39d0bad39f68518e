import type { Run } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish, teamOf } from '../../testing/organization.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';

describe('runs on the command line', () => {
  let server: TestServer;
  let editor: Person;
  let env: Record<string, string>;
  const asJson = async (...args: string[]): Promise<Run> =>
    JSON.parse((await stet(['runs', ...args, '--json'], env)).out) as Run;
  const stderr = (text: string) => expect.stringContaining(text) as string;

  beforeAll(async () => {
    server = await startTestServer();
    const team = await teamOf(server, ['editor', 'reviewer']);
    ({ editor } = team);
    env = { STET_URL: server.server.url, STET_TOKEN: editor.token };
    const assignee = editor.user.email;
    await publish(editor, team.reviewer, 'hiring', [
      { id: 'ask', title: 'Ask\u001b[2J', assignee, sla: '1 day' },
      {
        id: 'form',
        title: 'Form',
        assignee,
        config: {
          fields: [
            { id: 'amount', label: 'Amount', kind: 'number', required: true },
            { id: 'reasons', label: 'Reasons', kind: 'many_of', options: ['Price', 'Speed'], required: true },
            { id: 'agreed', label: 'Agreed', kind: 'yes_no', required: true },
            { id: 'name', label: 'Name', kind: 'text', required: true },
          ],
        },
      },
    ]);
  });
  afterAll(() => server.stop());

  it('starts, lists, shows and completes runs', async () => {
    const run = await asJson('start', 'hiring', '--priority', 'high');
    expect(run).toMatchObject({ name: 'Title of hiring - Production', status: 'running', priority: 'high' });
    expect((await stet(['runs', 'list', '--workflow', 'hiring', '--status', 'running'], env)).out).toContain(run.id);
    expect((await stet(['runs', 'list', '--status', 'completed'], env)).out).toBe('');
    const shown = (await stet(['runs', 'show', run.id], env)).out;
    expect(shown).toMatch(/1 +ask +active +Ask\\u001b\[2J/);

    const input = { input: 'From a pipe\n' };
    const asked = await stet(['runs', 'complete', run.id, 'ask', '--text', '-', '--json'], env, input);
    expect(JSON.parse(asked.out)).toMatchObject({
      steps: [{ state: 'completed', output: { text: 'From a pipe' } }, {}],
    });
    const fields = ['--field', 'amount=12.5', '--field', 'agreed=yes', '--field', 'name=a=b'];
    fields.push('--field', 'reasons=Price', '--field', 'reasons=Speed');
    const done = await asJson('complete', run.id, 'form', ...fields);
    expect(done).toMatchObject({
      status: 'completed',
      steps: [{}, { output: { fields: { amount: 12.5, agreed: true, name: 'a=b', reasons: ['Price', 'Speed'] } } }],
    });
    expect(await stet(['runs', 'complete', run.id, 'form', ...fields], env)).toMatchObject({ code: 3, out: '' });
  });

  it('uses the given name and output', async () => {
    expect(await asJson('start', 'hiring', '--testing')).toMatchObject({ name: 'Title of hiring - Testing' });
    const run = await asJson('start', 'hiring', '--name', 'My own name');
    expect(run.name).toBe('My own name');
    expect(await asJson('complete', run.id, 'ask', '--output', '{"text":"whole"}')).toMatchObject({
      steps: [{ output: { text: 'whole' } }, {}],
    });
  });

  it('lists at most the requested number of runs', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => asJson('start', 'hiring', '--name', `Run ${n}`)));
    const list = async (limit: string) =>
      JSON.parse((await stet(['runs', 'list', '--limit', limit, '--json'], env)).out) as Run[];
    expect(await list('5')).toHaveLength(5);
    expect((await list('500')).length).toBeGreaterThanOrEqual(12);
  });

  it.each([
    [['start', 'nonsense'], 1, 'Workflow not found'],
    [['start', 'hiring', '--priority', 'some'], 2, '--priority must be one of low'],
    [['start', 'hiring', '--name', 'x'], 1, 'at least 3 characters'],
    [['list', '--status', 'some'], 2, '--status must be one of running'],
    [['list', '--limit', '0'], 2, '--limit must be 1 or more'],
    [['show', 'nonsense'], 2, '"nonsense" is not a run id'],
    [['show', '5f0c7f2e-6c1b-4a51-9f0e-0d5b3b7f1c11'], 1, 'Run not found'],
    [['complete', '5f0c7f2e-6c1b-4a51-9f0e-0d5b3b7f1c11'], 2, 'an argument is missing'],
  ])('explains why %j is refused', async (args, code, why) => {
    expect(await stet(['runs', ...args], env)).toMatchObject({ code, out: '', stderr: stderr(why) });
  });
});
