import { MAX_NOTES, type Note, type Notification } from '@stet/contract';
import { NOTES_IN_HISTORY } from '@stet/domain/runs';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { listen } from '../../testing/events.ts';
import { begin, digestOf, FILE_FIELD, upload } from '../../testing/files.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import { act, complete, runOf, start } from '../../testing/runs.ts';
import { type Person, type Reply, type TestServer, startTestServer } from '../../testing/server.ts';

let server: TestServer;
let owner: Person;
let reviewer: Person;
let viewer: Person;
let mara: Person;
let runId: string;

beforeAll(async () => {
  server = await startTestServer();
  let orgId: string;
  ({ owner, reviewer, viewer, orgId } = await teamOf(server, ['reviewer', 'viewer']));
  mara = await server.signUp({ name: 'Mara Lind' });
  await joinOrganization(server, mara, orgId, 'editor');
  await publish(owner, reviewer, 'flow', stepsNamed('First', 'Second'));
});
afterAll(() => server.stop());

const path = (query = ''): string => `/api/runs/${runId}/notes${query}`;
const write = (who: Person, text: string, stepId?: string): Promise<Reply<Note>> =>
  who.call('POST', path(), { text, ...(stepId !== undefined && { stepId }) });
const texts = async (query = ''): Promise<string[]> => (await owner.get<Note[]>(path(query))).map(({ text }) => text);
const newRun = async (): Promise<void> => void (runId = (await start(owner, 'flow')).id);
/** Writes a note, and copies it this many times. */
async function fill(copies: number, stepId?: string): Promise<void> {
  await write(owner, 'First', stepId);
  await server.sql(
    `insert into audit_events (org_id, seq, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash)
     select org_id, seq - n * 1000000, at, actor, action, subject_type, subject_id, run_id, payload, salt, digest, prev, hash
     from audit_events, generate_series(1, $2::int) n where run_id = $1 and action = 'note.added'`,
    [runId, copies],
  );
}

/** A person's notifications about notes on this run, newest first. */
const notified = async (who: Person): Promise<[string, string, string][]> =>
  (await who.get<Notification[]>('/api/notifications'))
    .filter((each) => each.runId === runId && ['mentioned', 'note_answered'].includes(each.kind))
    .map(({ kind, title, body }) => [kind, title, body]);

describe('a note on a run', () => {
  it('can be written by everyone who sees the run, on the run or any step, also after the run has ended', async () => {
    await newRun();
    expect(await write(viewer, ' Who knows the amount? ', 'step-2')).toMatchObject({
      status: 201,
      body: { text: 'Who knows the amount?', stepId: 'step-2', mentions: [], author: { id: viewer.user.id } },
    });
    await complete(owner, runId, 'step-1');
    await complete(owner, runId, 'step-2');
    expect((await runOf(owner, runId)).status).toBe('completed');
    const { body } = await write(reviewer, 'For next time: ask Finance first', 'step-1');
    expect(await write(mara, 'Thanks')).toMatchObject({ status: 201, body: { stepId: null } });
    expect(await texts()).toEqual(['Thanks', 'For next time: ask Finance first', 'Who knows the amount?']);
    expect(await owner.get<Note[]>(path('?stepId=step-1'))).toEqual([body]);
  });

  it('is refused without text or with too much, for an unknown step, and for another organization’s run', async () => {
    await newRun();
    expect(await write(owner, ' ')).toMatchObject({ status: 400, body: { code: 'invalid' } });
    expect(await write(owner, 'x'.repeat(10_001))).toMatchObject({ status: 400 });
    expect(await write(owner, 'Hm', 'step-3')).toMatchObject({ status: 400, body: { details: [{ field: 'stepId' }] } });
    const stranger = await server.signUp();
    expect(await write(stranger, 'Hm')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await stranger.call('GET', path())).toMatchObject({ status: 404 });
    expect(await texts()).toEqual([]);
  });

  it('becomes part of the history and of the trail, and changes nothing else about the run', async () => {
    await newRun();
    const before = await runOf(owner, runId);
    await write(mara, 'x'.repeat(400), 'step-1');
    const { history, ...after } = await runOf(owner, runId);
    const { history: earlier, ...unchanged } = before;
    expect({ ...after, now: 0, durationMs: 0 }).toEqual({ ...unchanged, now: 0, durationMs: 0 });
    expect(history.slice(0, -1)).toEqual(earlier);
    expect(history.at(-1)).toMatchObject({ action: 'noted', stepId: 'step-1', actor: { name: 'Mara Lind' } });
    expect(history.at(-1)?.data).toEqual({ text: `${'x'.repeat(300)}…` });
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where run_id = $1 and action = 'note.added'`,
      [runId],
    );
    expect(event?.payload).toContain('x'.repeat(400));
    // A decision that names the revision read before the note is still accepted.
    const { status } = await owner.call(
      'POST',
      `/api/runs/${runId}/steps/step-1/complete`,
      { output: { text: 'Done' } },
      { 'if-match': `"${before.revision}"` },
    );
    expect(status).toBe(200);
    expect((await runOf(owner, runId)).history.map(({ action }) => action)).toContain('noted');
  });

  it('is announced to everyone who is viewing the run', async () => {
    await newRun();
    const stream = await listen(server, viewer, runId);
    await stream.until(({ event }) => event === 'hello');
    await write(mara, 'Hello');
    await stream.until(({ event, data }) => event === 'changed' && 'id' in data && data.id === runId);
    stream.close();
  });

  it('notifies the people it mentions, and everyone who has written in the thread', async () => {
    await newRun();
    await write(viewer, '@Mara Lind which account is this?', 'step-1');
    expect(await notified(mara)).toEqual([
      ['mentioned', 'First', 'The viewer mentioned you in “A run”: @Mara Lind which account is this?'],
    ]);
    await write(mara, '4711', 'step-1');
    expect(await notified(viewer)).toEqual([['note_answered', 'First', 'Mara Lind answered in “A run”: 4711']]);
    // A person who is mentioned gets no second notification about the answer, and nobody is notified of their own note.
    await write(viewer, '@mara lind thanks. @The viewer', 'step-1');
    expect((await notified(mara)).map(([kind]) => kind)).toEqual(['mentioned', 'mentioned']);
    expect(await notified(viewer)).toHaveLength(1);
    // In another thread, only its own authors are notified.
    await write(reviewer, 'All done?');
    expect(await notified(viewer)).toHaveLength(1);
    expect(await owner.get<Note[]>(path('?stepId=step-1&limit=1'))).toMatchObject([
      { mentions: [{ userId: mara.user.id, from: 0, to: 10 }, { userId: viewer.user.id }] },
    ]);
  });

  it('belongs to the step of its thread, even if its text looks like the id of another step', async () => {
    await newRun();
    await write(owner, '"stepId":"step-1"', 'step-2');
    await write(owner, 'For the run');
    expect(await texts('?stepId=step-1')).toEqual([]);
    expect(await texts('?stepId=step-2')).toEqual(['"stepId":"step-1"']);
    expect(await texts('?stepId=null')).toEqual([]);
  });

  it('is listed in pages, each of which continues where the last one ended', async () => {
    await newRun();
    for (const text of ['1', '2', '3', '4', '5']) await write(owner, text);
    const first = await owner.call<Note[]>('GET', path('?limit=2'));
    expect(first.body.map(({ text }) => text)).toEqual(['5', '4']);
    await write(owner, '6');
    const second = await owner.call<Note[]>('GET', path(`?limit=2&cursor=${first.headers.get('x-next-cursor')}`));
    expect(second.body.map(({ text }) => text)).toEqual(['3', '2']);
    const last = await owner.call<Note[]>('GET', path(`?limit=2&cursor=${second.headers.get('x-next-cursor')}`));
    expect(last.body.map(({ text }) => text)).toEqual(['1']);
    expect(last.headers.get('x-next-cursor')).toBeNull();
    expect(await owner.call('GET', path('?cursor=x'))).toMatchObject({ status: 400 });
  });

  it('is written once if the same request is sent twice with one idempotency key', async () => {
    await newRun();
    const send = () => mara.call<Note>('POST', path(), { text: 'Once' }, { 'idempotency-key': 'note-once' });
    const [one, other] = [await send(), await send()];
    expect(other.body).toEqual(one.body);
    expect(await texts()).toEqual(['Once']);
  });

  it('can have files, which appear in the list, history and trail, and which everyone can read', async () => {
    await newRun();
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(300_000)]);
    const ids = [
      await upload(server, viewer, { runId }, bytes),
      await upload(server, viewer, { runId }, Buffer.from('b')),
    ];
    const [id = ''] = ids;
    const download = (who: Person) =>
      fetch(`${server.server.url}/api/files/${id}`, { headers: { authorization: `Bearer ${who.token}` } });
    expect((await download(mara)).status).toBe(404);
    const files = [
      { fileId: id, sha256: digestOf(bytes), size: bytes.length, name: 'offer.pdf', mediaType: 'application/pdf' },
      expect.objectContaining({ fileId: ids[1], size: 1 }),
    ];
    const { status, body } = await viewer.call<Note>('POST', path(), {
      text: 'The offer',
      stepId: 'step-1',
      files: ids,
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { text: 'The offer', files } });
    expect((await mara.get<Note[]>(path()))[0]?.files).toEqual(files);
    expect((await runOf(owner, runId)).history.at(-1)).toMatchObject({ data: { text: 'The offer', files } });
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where run_id = $1 and action = 'note.added'`,
      [runId],
    );
    expect(event?.payload).toContain(digestOf(bytes));
    expect(Buffer.from(await (await download(mara)).arrayBuffer()).equals(bytes)).toBe(true);
    await write(viewer, 'No files');
    expect(await mara.get<Note[]>(path('?limit=1'))).toMatchObject([{ files: [] }]);
    await expect(server.sql('update files set note_id = null where id = $1', [id])).rejects.toThrow('immutable');
    await expect(server.sql('delete from files where id = $1', [id])).rejects.toThrow('never deleted');
  });

  it('is refused unless its author uploaded its files for this run’s notes, and they are complete and unused', async () => {
    await newRun();
    const file = (who: Person, place: object = {}) => upload(server, who, { runId, ...place }, randomBytes(9));
    const send = (who: Person, ...files: string[]) => who.call<Note>('POST', path(), { text: 'See this', files });
    const unknown = refused(404, 'not_found');

    // To another organization, neither the file nor the run exists.
    const { owner: stranger, reviewer: helper } = await teamOf(server, ['reviewer']);
    await publish(stranger, helper, 'flow', [{ id: 'step-1', title: 'Attach', config: { fields: [FILE_FIELD] } }]);
    const elsewhere = await start(stranger, 'flow');
    expect(await send(owner, await file(stranger, { runId: elsewhere.id }))).toMatchObject(unknown);
    expect(await begin(stranger, { runId }, randomBytes(9))).toMatchObject(unknown);

    expect(await send(owner, await file(mara))).toMatchObject(unknown);
    expect(await send(owner, crypto.randomUUID())).toMatchObject(unknown);
    const other = await start(owner, 'flow');
    expect(await send(owner, await file(owner, { runId: other.id }))).toMatchObject(unknown);
    expect(await send(stranger, await file(stranger, { runId: elsewhere.id }))).toMatchObject(unknown);

    // A file uploaded for a step can't be attached to a note.
    const ofStep = await file(stranger, { runId: elsewhere.id, stepId: 'step-1' });
    const atStranger = { text: 'See this', files: [ofStep] };
    expect(await stranger.call('POST', `/api/runs/${elsewhere.id}/notes`, atStranger)).toMatchObject(unknown);

    const unfinished = await begin(owner, { runId }, randomBytes(9));
    expect(await send(owner, unfinished.body.id)).toMatchObject(refused(409, 'file_incomplete'));
    const id = await file(owner);
    expect(await send(owner, id, id)).toMatchObject({ status: 400, body: { details: [{ field: 'files' }] } });
    expect(await send(owner, ...Array.from({ length: 11 }, () => crypto.randomUUID()))).toMatchObject({ status: 400 });
    expect(await send(owner, 'x')).toMatchObject({ status: 400 });
    expect(await texts()).toEqual([]);
    // If two notes name the same file, only one is written.
    const both = await Promise.all([send(owner, id), send(owner, id)]);
    expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([201, 409]);
    expect(await send(owner, id)).toMatchObject(refused(409, 'file_used'));
    expect(await texts()).toEqual(['See this']);
  });

  it('can’t have files from someone who may not write notes', async () => {
    await newRun();
    const ask = { name: 'Reader', scopes: ['workflow.read'], expiresInDays: 30 };
    const { secret } = await owner.post<{ secret: string }>('/api/tokens', ask);
    const response = await fetch(`${server.server.url}/api/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a.txt', size: 1, sha256: 'a'.repeat(64), runId }),
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused(403, 'token_scope'));
  });

  it('is refused once the run has reached the limit', async () => {
    await newRun();
    await fill(MAX_NOTES - 1);
    expect(await write(owner, 'One too many')).toMatchObject({ status: 409, body: { code: 'too_many_notes' } });
    expect(await act(owner, runId, 'step-1', 'complete', { output: { text: 'Done' } })).toMatchObject({ status: 200 });
  });

  it('is refused at the limit even if several are sent at the same moment', async () => {
    await newRun();
    await fill(MAX_NOTES - 2);
    const replies = await Promise.all([owner, reviewer, viewer, mara].map((who) => write(who, 'The last one')));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409, 409, 409]);
  });

  it('appears in the run’s history as long as it is one of the latest notes', async () => {
    await newRun();
    await fill(NOTES_IN_HISTORY + 10, 'step-1');
    await write(viewer, 'The latest', 'step-2');
    const { history } = await runOf(owner, runId);
    const notes = history.filter(({ action }) => action === 'noted');
    expect(notes).toHaveLength(NOTES_IN_HISTORY);
    expect(notes.at(-1)).toMatchObject({ stepId: 'step-2', data: { text: 'The latest' } });
    expect(history.map(({ action }) => action)).toContain('run_started');
    expect(await texts('?limit=100')).toHaveLength(NOTES_IN_HISTORY + 12);
    const acted = await act(owner, runId, 'step-1', 'complete', { output: { text: 'Done' } });
    expect(acted.body.run.history.filter(({ action }) => action === 'noted')).toHaveLength(NOTES_IN_HISTORY);
  });
});
