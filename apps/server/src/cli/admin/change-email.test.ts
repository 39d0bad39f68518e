import type { Run, Task } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containing } from '../../testing/backup-scene.ts';
import { eventually, linkIn, mailTo, mailsIn } from '../../testing/mailbox.ts';
import { joinOrganization, publish, teamOf } from '../../testing/organization.ts';
import { verified } from '../../testing/proof-scene.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type TestServer, startTestServer } from '../../testing/server.ts';
import { stet } from '../stet.fixture.ts';

const PASSWORD = 'quite a different one';
let addresses = 0;
const newAddress = (): string => `renamed-${(addresses += 1)}@example.com`;

describe('changing an email address', () => {
  let server: TestServer;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startTestServer();
    env = { DATABASE_URL: server.database.url, DATA_DIR: server.dataDir };
  });
  afterAll(() => server.stop());

  const printLink = async (old: string, wanted: string): Promise<string> => {
    const { code, out, stderr } = await stet(['admin', 'change-email', old, wanted, '--print'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return new URL(out.trim()).searchParams.get('token') ?? '';
  };
  const useLink = (token: string) =>
    server.anyone.call<{ message: string }>('POST', '/api/auth/reset', { token, password: PASSWORD });
  const signIn = (email: string) =>
    server.anyone.call<{ token: string }>('POST', '/api/auth/login', { email, password: PASSWORD });
  /** Changes the address of a person and signs them in with it. */
  const renamed = async (person: Person): Promise<Person> => {
    const email = newAddress();
    expect(await useLink(await printLink(person.user.email, email))).toMatchObject({ status: 200 });
    const { body } = await signIn(email);
    return { ...person, ...server.as(body.token), user: { ...person.user, email } };
  };
  const refused = async (old: string, wanted: string): Promise<string> => {
    const { code, out, stderr } = await stet(['admin', 'change-email', old, wanted, '--print'], env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    return stderr;
  };

  it('changes the address when the link is used, ends sessions, and notifies the person, the owner and the old address', async () => {
    const { owner, editor, orgId } = await teamOf(server, ['editor']);
    const old = editor.user.email;
    const email = newAddress();
    const token = await printLink(old, email);
    expect((await editor.call('GET', '/api/auth/me')).status).toBe(200);
    expect(await useLink(token)).toMatchObject({ status: 200, body: { message: containing(`now ${email}`) } });
    expect((await useLink(token)).status).toBe(404);
    expect((await editor.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await signIn(old)).status).toBe(401);
    const again = { ...editor, ...server.as((await signIn(email)).body.token) };
    expect(await again.get('/api/auth/me')).toMatchObject({ id: editor.user.id, email, currentOrgId: orgId });

    const recorded = await server.sql<{ org_id: string; payload: string }>(
      `select org_id, payload from audit_events where action = 'account.email_changed' and subject_id = $1`,
      [editor.user.id],
    );
    expect(new Set(recorded.map(({ org_id }) => org_id))).toEqual(new Set([orgId, editor.user.organizations[0]?.id]));
    for (const { payload } of recorded)
      expect(JSON.parse(payload)).toMatchObject({ data: { before: { email: old }, after: { email } } });
    for (const person of [owner, again])
      expect(await person.get('/api/notifications')).toMatchObject([{ title: containing('has a new email address') }]);
    expect((await mailTo(server.dataDir, old, ({ text }) => text.includes('new email address'))).text).toContain(email);
  });

  it('mails the link to the new address if there is a mail server', async () => {
    const person = await server.signUp();
    const email = newAddress();
    const mailing = { ...env, SMTP_URL: 'smtp://localhost' };
    expect(await stet(['admin', 'change-email', person.user.email, email], mailing)).toMatchObject({
      code: 0,
      out: '',
    });
    const mail = await mailTo(server.dataDir, email, ({ text }) => text.includes('Confirm'));
    const token = new URL(linkIn(mail, '/reset-password')).searchParams.get('token') ?? '';
    expect((await useLink(token)).status).toBe(200);
    expect((await signIn(email)).status).toBe(200);
  });

  it('lets the person continue their work, and still assigns them the steps that name the old address', async () => {
    const { owner, reviewer, editor } = await teamOf(server, ['reviewer', 'editor']);
    const step = { sla: '1 day', type: 'manual' };
    await publish(owner, reviewer, 'named', [
      { ...step, id: 'one', title: 'One', assignee: editor.user.email },
      { ...step, id: 'two', title: 'Two', type: 'approval', assignee: editor.user.email },
    ]);
    const before = await start(owner, 'named');
    const after = await renamed(editor);
    const later = await start(owner, 'named');
    const tasks = await after.get<Task[]>('/api/tasks');
    expect(new Set(tasks.map(({ runId }) => runId))).toEqual(new Set([before.id, later.id]));
    // Filtering by the new address finds both runs, although their steps name the old one.
    const listed = await owner.get<Run[]>(`/api/runs?with=${encodeURIComponent(after.user.email)}`);
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set([before.id, later.id]));
    expect((await complete(owner, later.id, 'one')).status).toBe(200);
    expect((await act(after, later.id, 'two', 'approve')).status).toBe(200);
    expect((await complete(after, before.id, 'one')).status).toBe(200);
    expect(await runOf(owner, later.id)).toMatchObject({ status: 'completed' });
    expect((await after.get<{ kind: string }[]>('/api/notifications')).map(({ kind }) => kind)).toContain(
      'step_assigned',
    );
  });

  it('sends the messages of steps that name the old address only to the new one, and shows the person’s name', async () => {
    const { owner, reviewer, editor } = await teamOf(server, ['reviewer', 'editor']);
    const old = editor.user.email;
    await publish(owner, reviewer, 'message', [
      {
        id: 'ask',
        title: 'Ask',
        config: { fields: [{ id: 'who', label: 'Who', kind: 'person', required: true }] },
        next: ['wait'],
      },
      { id: 'wait', title: 'Wait', next: ['tell'] },
      {
        id: 'tell',
        title: 'Tell',
        type: 'notification',
        config: { recipients: [old], channels: ['email', 'in-app'], template: 'By {{output.ask.fields.who}}, renamed' },
        next: [],
      },
    ]);
    const { id } = await start(owner, 'message');
    await act(owner, id, 'ask', 'complete', { output: { fields: { who: old } } });
    const after = await renamed(editor);
    await complete(owner, id, 'wait');
    const mail = await mailTo(server.dataDir, after.user.email, ({ text }) => text.includes(', renamed'));
    expect(mail.text).toContain(`By ${editor.user.name}, renamed`);
    const run = await eventually(async () => {
      const found = await runOf(owner, id);
      return found.status === 'completed' ? found : undefined;
    });
    expect(run.steps[2]?.report).toEqual({ kind: 'notification', undeliverable: [] });
    const mails = (await mailsIn(server.dataDir)).filter(({ text }) => text.includes(', renamed'));
    expect(mails.map(({ to }) => to)).toEqual([mail.to]);
    expect(await after.get('/api/notifications')).toContainEqual(
      expect.objectContaining({ kind: 'message', body: `By ${editor.user.name}, renamed` }),
    );
  });

  it('lets the person decide a step even if an unproved account of the new mailbox did the work', async () => {
    const { owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']);
    const { email: old } = editor.user;
    await publish(owner, reviewer, 'apart', [
      { id: 'work', title: 'Work', next: ['check'] },
      { id: 'check', title: 'Check', type: 'approval', assignee: old, config: { separateFrom: true }, next: [] },
    ]);
    const after = await renamed(editor);
    const twin = await server.signUp({ email: after.user.email.replace('@', '+x@'), proved: false });
    await joinOrganization(server, twin, orgId, 'editor');
    const { id } = await start(owner, 'apart');
    await complete(twin, id, 'work');
    expect((await runOf(after, id)).steps[1]).toMatchObject({ abilities: { approve: true } });
    const { run } = (await act(after, id, 'check', 'approve')).body;
    expect(run).toMatchObject({ status: 'completed', marks: ['doer_not_proved'] });
    const events = await server.sql<{ payload: string }>('select payload from audit_events where run_id = $1', [id]);
    expect(events.filter(({ payload }) => payload.includes('formerEmails'))).toEqual([]);
  });

  it('doesn’t let someone hand their approval over to a person whom the step names by the old address', async () => {
    const { owner, reviewer, editor } = await teamOf(server, ['reviewer', 'editor']);
    const assignee = `${editor.user.email}, ${reviewer.user.email}`;
    const check = { id: 'check', title: 'Check', type: 'approval', assignee, config: { minimumApprovers: 2 } };
    await publish(owner, reviewer, 'two', [check]);
    const after = await renamed(editor);
    const { id } = await start(owner, 'two');
    for (const to of [after.user.id, editor.user.email, after.user.email])
      expect(await act(reviewer, id, 'check', 'hand-over', { to, reason: 'Away' })).toMatchObject({
        status: 409,
        body: { code: 'already_theirs' },
      });
  });

  it('disconnects the identity that has the old address, and no other', async () => {
    const { editor } = await teamOf(server, ['editor']);
    const connect = (subject: string, email: string) =>
      server.sql(`insert into identities (issuer, subject, user_id, email) values ('https://id.example', $1, $2, $3)`, [
        subject,
        editor.user.id,
        email,
      ]);
    await connect(`${editor.user.id}-old`, editor.user.email);
    await connect(`${editor.user.id}-other`, 'other@example.com');
    await renamed(editor);
    expect(await server.sql('select email from identities where user_id = $1', [editor.user.id])).toEqual([
      { email: 'other@example.com' },
    ]);
    const recorded = await server.sql<{ payload: string }>(
      `select payload from audit_events where action = 'account.email_changed' and subject_id = $1`,
      [editor.user.id],
    );
    for (const { payload } of recorded)
      expect(JSON.parse(payload)).toMatchObject({ data: { disconnected: ['https://id.example'] } });
  });

  it('refuses an address that belongs or belonged to someone else or is invited, and an account with a shared mailbox', async () => {
    const { owner, editor, orgId } = await teamOf(server, ['editor']);
    const other = await server.signUp();
    const former = other.user.email;
    await renamed(other);
    const { email } = editor.user;
    expect(await refused(email, owner.user.email)).toContain('another account');
    expect(await refused(email, owner.user.email.replace('@', '+tag@'))).toContain('another account');
    expect(await refused(email, former)).toContain('former mailbox of another account');
    expect(await refused(email, former.replace('@', '+tag@'))).toContain('former mailbox of another account');
    const invitation = { email: 'invited@example.com', role: 'viewer' };
    await owner.post(`/api/organizations/${orgId}/invitations`, invitation);
    expect(await refused(email, invitation.email)).toContain('pending invitation');
    expect(await refused(email, email)).toContain('already');
    expect(await stet(['admin', 'change-email', email, 'nonsense'], env)).toMatchObject({ code: 2 });
    await server.signUp({ email: email.replace('@', '+twin@') });
    expect(await refused(email, newAddress())).toContain('count as one person');
  });

  it('checks the address again when the link is used', async () => {
    const person = await server.signUp();
    const email = newAddress();
    const token = await printLink(person.user.email, email);
    await server.signUp({ email });
    expect(await useLink(token)).toMatchObject({ status: 409, body: { code: 'address_unavailable' } });
    expect((await person.call('GET', '/api/auth/me')).status).toBe(200);
  });

  it('reserves the former address, also against concurrent sign-ups and other addresses of its mailbox', async () => {
    const person = await server.signUp();
    const { email: old } = person.user;
    const { owner, orgId } = await teamOf(server, []);
    await joinOrganization(server, person, orgId, 'editor');
    const token = await printLink(old, newAddress());
    const signUp = (email: string) =>
      server.anyone.call('POST', '/api/auth/signup', { name: 'Some One', password: PASSWORD, email });
    const [used, ...signedUp] = await Promise.all([useLink(token), signUp(old), signUp(old), signUp(old)]);
    expect(used.status).toBe(200);
    expect(signedUp.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await signUp(old.replace('@', '+again@'))).status).toBe(409);
    expect(
      await owner.call('POST', `/api/organizations/${orgId}/invitations`, { email: old, role: 'viewer' }),
    ).toMatchObject({ status: 409, body: { code: 'already_member' } });
  });

  it('gives a person their former address back', async () => {
    const person = await server.signUp();
    const { email: old } = person.user;
    const away = await renamed(person);
    expect((await useLink(await printLink(away.user.email, old))).status).toBe(200);
    const again = { ...person, ...server.as((await signIn(old)).body.token) };
    expect(await verified(again)).toMatchObject({ state: 'ok', problem: null });
    const rows = await server.sql<{ email: string }>('select email from former_addresses where user_id = $1', [
      person.user.id,
    ]);
    expect(rows).toEqual([{ email: away.user.email }]);
  });

  describe('releasing a former address', () => {
    const release = (...args: string[]) => stet(['admin', 'release-address', ...args], env);
    const signUpAs = (email: string) =>
      server.anyone.call('POST', '/api/auth/signup', { name: 'New Person', password: PASSWORD, email });

    it('lets someone else use it, is recorded in each organization, and notifies the person and the owner', async () => {
      const { owner, editor, orgId } = await teamOf(server, ['editor']);
      const { email: old } = editor.user;
      const after = await renamed(editor);
      await server.sql(
        `insert into identities (issuer, subject, user_id, email) values ('https://id.example', $1, $2, $3)`,
        [after.user.id, after.user.id, old],
      );
      expect((await signUpAs(old)).status).toBe(409);
      expect(await release(old.toUpperCase())).toMatchObject({
        code: 0,
        stderr: containing('someone else can use it'),
      });
      const recorded = await server.sql<{ org_id: string; payload: string }>(
        `select org_id, payload from audit_events where action = 'account.address_released' and subject_id = $1`,
        [editor.user.id],
      );
      expect(new Set(recorded.map(({ org_id }) => org_id))).toEqual(new Set([orgId, editor.user.organizations[0]?.id]));
      for (const { payload } of recorded)
        expect(JSON.parse(payload)).toMatchObject({
          actor: { kind: 'system' },
          data: { email: old, by: 'administrator', disconnected: ['https://id.example'] },
        });
      expect(await server.sql('select from identities where user_id = $1', [editor.user.id])).toEqual([]);
      for (const person of [owner, after])
        expect(await person.get('/api/notifications')).toContainEqual(
          expect.objectContaining({ title: containing('A former address no longer means') }),
        );
      const mail = await mailTo(server.dataDir, after.user.email, ({ text }) => text.includes('Released address'));
      expect(mail.text).toContain(old);
      expect((await signUpAs(old)).status).toBe(201);
      expect(await release(old)).toMatchObject({ code: 1, stderr: containing('current address of an account') });
      expect(await release(newAddress())).toMatchObject({ code: 1, stderr: containing('not a former address') });
      expect(await release('nonsense')).toMatchObject({ code: 2 });
      const alone = await server.signUp();
      const renamedAlone = await renamed(alone);
      expect(await release(alone.user.email)).toMatchObject({ code: 0 });
      expect(await verified(renamedAlone)).toMatchObject({ state: 'ok', problem: null });
    });

    it('doesn’t change who did earlier work, even if someone else has the address now', async () => {
      const { owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']);
      const { email: old } = editor.user;
      await publish(owner, reviewer, 'done', [{ id: 'work', title: 'Work', assignee: 'role:editor' }]);
      const { id } = await start(owner, 'done');
      expect((await complete(editor, id, 'work')).status).toBe(200);
      const after = await renamed(editor);
      expect((await release(old)).code).toBe(0);
      const successor = await server.signUp({ email: old, name: 'New Person' });
      await joinOrganization(server, successor, orgId, 'editor');
      const events = await owner.get<{ action: string; actor: { id: string } }[]>('/api/audit/events?limit=100');
      expect(events.find(({ action }) => action === 'step.completed')).toMatchObject({ actor: { id: after.user.id } });
      expect(JSON.stringify(await runOf(owner, id))).not.toContain(successor.user.id);
    });

    it('is refused with a list of the live versions, escalations and open runs that name the address', async () => {
      const { owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']);
      const { email: old } = editor.user;
      await publish(owner, reviewer, 'naming', [{ id: 'one', title: 'One', assignee: old }]);
      // This address isn't the old one, but contains it.
      await publish(owner, reviewer, 'other', [{ id: 'one', title: 'One', assignee: `x${old}` }]);
      const { id } = await start(owner, 'naming');
      const after = await renamed(editor);
      const found = await release(old);
      expect(found).toMatchObject({ code: 1, out: '', stderr: containing('naming, version 1 (live, 1 open run)') });
      expect(found.stderr).not.toContain('other,');
      expect((await signUpAs(old)).status).toBe(409);
      await publish(owner, reviewer, 'naming', [{ id: 'one', title: 'One', assignee: after.user.email }]);
      expect((await release(old)).stderr).toContain('naming, version 1 (1 open run)');
      expect((await complete(after, id, 'one')).status).toBe(200);
      await server.sql(
        `insert into workflow_escalations (org_id, workflow_id, tell, updated_by)
         select org_id, id, $2, $3 from workflows where org_id = $1 and key = 'naming'`,
        [orgId, JSON.stringify([old]), owner.user.id],
      );
      expect((await release(old)).stderr).toContain('naming, version 2 (live)');
      await server.sql('delete from workflow_escalations where org_id = $1', [orgId]);
      expect(await release(old)).toMatchObject({ code: 0 });
    });

    it('is refused while a failed run can be retried, because its step would go to whoever gets the address', async () => {
      const { owner, reviewer, editor } = await teamOf(server, ['reviewer', 'editor']);
      const { email: old } = editor.user;
      const check = { id: 'check', title: 'Check', type: 'approval' };
      await publish(owner, reviewer, 'retried', [{ ...check, assignee: old }]);
      const { id } = await start(owner, 'retried');
      expect((await act(editor, id, 'check', 'reject', { comments: 'No' })).body.run.status).toBe('failed');
      const after = await renamed(editor);
      await publish(owner, reviewer, 'retried', [{ ...check, assignee: after.user.email }]);
      expect(await release(old)).toMatchObject({
        code: 1,
        stderr: containing('retried, version 1 (1 open run)'),
      });
      expect((await act(after, id, 'check', 'retry')).status).toBe(200);
      expect((await act(after, id, 'check', 'approve')).body.run.status).toBe('completed');
      expect(await release(old)).toMatchObject({ code: 0 });
    });

    it('with --force, opens tasks that name the address to others, and to the next person with the address', async () => {
      const { owner, reviewer, editor, orgId } = await teamOf(server, ['reviewer', 'editor']);
      const { email: old } = editor.user;
      await publish(owner, reviewer, 'forced', [{ id: 'check', title: 'Check', type: 'approval', assignee: old }]);
      const { id } = await start(reviewer, 'forced');
      const after = await renamed(editor);
      const isListed = async (person: Person): Promise<boolean> =>
        (await person.get<Task[]>('/api/tasks')).some(({ runId }) => runId === id);
      expect(await isListed(after)).toBe(true);
      expect(await isListed(owner)).toBe(false);
      expect(await release(old, '--force')).toMatchObject({ code: 0 });
      expect((await act(after, id, 'check', 'approve')).status).toBe(403);
      expect(await isListed(owner)).toBe(true);
      const successor = await server.signUp({ email: old, name: 'New Person' });
      await joinOrganization(server, successor, orgId, 'editor');
      expect(await isListed(successor)).toBe(true);
      expect((await act(successor, id, 'check', 'approve')).status).toBe(200);
    });
  });
});
