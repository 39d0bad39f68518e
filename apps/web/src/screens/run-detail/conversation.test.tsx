import type { Note } from '@stet/contract';
import { NOTES_IN_HISTORY } from '@stet/domain/runs';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { members } from '../../testing/people.ts';
import { aRun, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { ID, card, openRun, startRunServer } from './run-detail-screen.fixture.ts';

cleanUpAfterEach();

const NOTES = `GET /api/runs/${ID}/notes`;
const SEND = `POST /api/runs/${ID}/notes`;
const [, sam] = members();
if (!sam) throw new Error('There is no second member');

const aNote = (change: Partial<Note> = {}): Note => ({
  id: crypto.randomUUID(),
  author: { id: sam.id, name: sam.name, email: sam.email, kind: 'user' },
  text: 'The VAT number has changed.',
  mentions: [],
  stepId: null,
  files: [],
  at: '2026-11-20T13:00:00.000Z',
  ...change,
});
const ON_STEP = aNote({ text: 'Which tier was it last year?', stepId: 'assess', at: '2026-11-20T12:00:00.000Z' });

let server: FakeServer;
beforeEach(() => {
  server = startRunServer()
    .on('GET /api/organizations/*/users', { json: members() })
    .on(SEND, { status: 201, json: aNote() });
});

const conversation = async () => within(await screen.findByRole('region', { name: 'Conversation' }));
const textOf = (element: HTMLElement): string => element.textContent ?? '';

test('shows the notes on the run and its steps, oldest first', async () => {
  server.on(NOTES, { json: [aNote(), ON_STEP] });
  openRun();
  const notes = await (await conversation()).findAllByRole('article');
  expect(notes.map(textOf)).toEqual([
    expect.stringContaining('Which tier was it last year?'),
    expect.stringContaining('The VAT number has changed.'),
  ]);
  expect(textOf(notes[0] as HTMLElement)).toContain('on “Assess risk tier”');
});

test('adds a note to the run, and replies to a step’s note on that step', async () => {
  server.on(NOTES, { json: [ON_STEP] });
  const { user } = openRun();
  const region = await conversation();
  const field = region.getByRole('textbox', { name: 'Write a note. Type @ to mention someone.' });
  await user.type(field, ' All done ');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(server.calls(SEND).map(({ body }) => body)).toEqual([{ text: 'All done' }]));
  await waitFor(() => expect((field as HTMLTextAreaElement).value).toBe(''));
  await user.click(await region.findByRole('button', { name: 'Reply' }));
  expect(document.activeElement).toBe(field);
  await user.keyboard('Tier 2');
  await user.click(region.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(server.calls(SEND)[1]?.body).toEqual({ text: 'Tier 2', stepId: 'assess' }));
  // The list was loaded again after each note.
  await waitFor(() => expect(server.calls(NOTES).length).toBeGreaterThan(2));
});

const evidence = {
  fileId: '0197a3c1-0000-7000-8000-000000000001',
  sha256: 'ab'.repeat(32),
  size: 5,
  name: 'offer.pdf',
  mediaType: 'application/pdf',
};
/** Files have the ids …1, …2 and so on, in the order in which their uploads begin. */
const fileId = (n: number) => evidence.fileId.replace(/1$/, String(n));
function serveUploads(): FakeServer {
  let begun = 0;
  const begin = () => ({ status: 201, json: { id: fileId((begun += 1)), chunkSize: 262_144, chunks: [] } });
  return server
    .on('POST /api/files', begin)
    .on('POST /api/files/*/chunks/*', { json: { stored: 0 } })
    .on('POST /api/files/*/complete', ({ path }) => ({ json: { ...evidence, fileId: path.split('/')[3] } }));
}

test('attaches chosen, dropped and pasted files to a note, and shows those of others', async () => {
  serveUploads().on(NOTES, { json: [aNote({ files: [{ ...evidence, name: 'theirs.pdf' }] })] });
  const { user } = openRun();
  const region = await conversation();
  expect(await region.findByRole('button', { name: 'theirs.pdf' })).toBeDefined();
  const field = region.getByRole('textbox', { name: 'Write a note. Type @ to mention someone.' });
  const file = (name: string) => new File(['bytes'], name);
  await user.upload(region.getByLabelText(/^Attach files/), file('chosen.pdf'));
  fireEvent.drop(field, { dataTransfer: { files: [file('dropped.pdf')] } });
  fireEvent.paste(field, { clipboardData: { files: [file('pasted.pdf')], getData: () => '' } });
  // A table copied from a document is pasted as text and as an image. Only the text is used.
  fireEvent.paste(field, { clipboardData: { files: [file('table.png')], getData: () => 'a table' } });
  const rows = within(region.getByRole('list', { name: /^Files/ }));
  await waitFor(() => expect(server.calls('POST /api/files/*/complete')).toHaveLength(3));
  await user.click(await rows.findByRole('button', { name: 'Remove pasted.pdf' }));
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(server.calls('POST /api/files')[0]?.body).toMatchObject({ name: 'chosen.pdf', size: 5, runId: ID });
  expect(server.calls('POST /api/files')[0]?.body).not.toHaveProperty('stepId');
  await user.type(field, 'See this');
  await user.click(region.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(server.calls(SEND)[0]?.body).toEqual({ text: 'See this', files: [fileId(1), fileId(2)] }));
  await waitFor(() => expect(region.queryByRole('list', { name: /^Files/ })).toBeNull());
});

test('sends no note before its files are uploaded', async () => {
  serveUploads().on('POST /api/files', { status: 409, json: { error: 'There is no space.', code: 'no_file_space' } });
  const { user } = openRun();
  const region = await conversation();
  await user.upload(region.getByLabelText(/^Attach files/), new File(['bytes'], 'offer.pdf'));
  expect(await region.findByText('There is no space.')).toBeDefined();
  await user.type(region.getByRole('textbox', { name: 'Write a note. Type @ to mention someone.' }), 'See this');
  await user.click(region.getByRole('button', { name: 'Send' }));
  expect(
    await region.findByText('Some files aren’t uploaded. Wait for the uploads, and retry or remove those that failed.'),
  ).toBeDefined();
  expect(server.calls(SEND)).toEqual([]);
  await user.click(region.getByRole('button', { name: 'Remove offer.pdf' }));
  await user.click(region.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(server.calls(SEND)[0]?.body).toEqual({ text: 'See this' }));
});

test('loads earlier notes', async () => {
  server.on(NOTES, ({ query }) =>
    query.get('cursor') === '7'
      ? { json: [aNote({ text: 'The first one' })] }
      : { json: [aNote()], headers: { 'x-next-cursor': '7' } },
  );
  const { user } = openRun();
  await user.click(await (await conversation()).findByRole('button', { name: 'Show earlier notes' }));
  const region = await conversation();
  expect(await region.findByText('The first one')).toBeDefined();
  expect(region.getAllByRole('article').map(textOf)[0]).toContain('The first one');
  expect(region.queryByRole('button', { name: 'Show earlier notes' })).toBeNull();
});

test('says that there are no notes yet', async () => {
  openRun();
  expect(await (await conversation()).findByText(/No notes yet/)).toBeDefined();
});

test('keeps the form if the notes can’t be loaded, and offers “Try again”', async () => {
  server.on(NOTES, { status: 403, json: { error: 'Not now', code: 'forbidden' } });
  const { user } = openRun();
  const region = await conversation();
  expect((await region.findByRole('alert')).textContent).toContain('Not now');
  expect(region.getByRole('button', { name: 'Send' })).toBeDefined();
  server.on(NOTES, { json: [aNote()] });
  await user.click(region.getByRole('button', { name: 'Try again' }));
  expect(await region.findByText('The VAT number has changed.')).toBeDefined();
});

test('keeps the text if a note is refused', async () => {
  server.on(SEND, {
    status: 409,
    json: { error: 'This run has reached the limit of 1000 notes.', code: 'too_many_notes' },
  });
  const { user } = openRun();
  const region = await conversation();
  const field = region.getByRole('textbox', { name: 'Write a note. Type @ to mention someone.' });
  await user.type(field, 'One more');
  await user.click(region.getByRole('button', { name: 'Send' }));
  expect(await region.findByText('This run has reached the limit of 1000 notes.')).toBeDefined();
  expect((field as HTMLTextAreaElement).value).toBe('One more');
});

test('shows a step’s notes collapsed to one line, and expands them with a form', async () => {
  const run = aRun();
  const noted = {
    stepId: 'assess',
    action: 'noted',
    at: ON_STEP.at,
    actor: ON_STEP.author,
    data: { text: ON_STEP.text },
  };
  server
    .on('GET /api/runs/*', { json: aRun({ history: [...run.history, noted] }) })
    .on(NOTES, ({ query }) => ({ json: query.get('stepId') === 'assess' ? [ON_STEP] : [aNote(), ON_STEP] }));
  const { user } = openRun();
  const step = await card('Assess risk tier');
  expect(step.getByText(/Which tier was it last year/)).toBeDefined();
  await user.click(step.getByRole('button', { name: '1 note', expanded: false }));
  expect(await step.findByRole('article', { name: `Note by ${sam.name}` })).toBeDefined();
  await user.type(step.getByRole('textbox', { name: 'Note on Assess risk tier' }), 'Tier 2');
  await user.click(step.getByRole('button', { name: 'Reply' }));
  await waitFor(() => expect(server.calls(SEND)[0]?.body).toEqual({ text: 'Tier 2', stepId: 'assess' }));
});

test('asks a colleague about a step', async () => {
  const { user } = openRun();
  const step = await card('Assess risk tier');
  await user.click(step.getByRole('button', { name: 'Ask a colleague' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask a colleague' }));
  await user.click(dialog.getByRole('button', { name: 'Ask' }));
  expect(await dialog.findByText('Choose someone to ask')).toBeDefined();
  expect(dialog.getByText('Write your question')).toBeDefined();
  await user.type(dialog.getByRole('combobox', { name: 'Colleague' }), sam.name.slice(0, 3));
  await user.keyboard('{Enter}');
  await user.type(dialog.getByRole('textbox', { name: 'Question' }), 'Which tier was it?');
  await user.click(dialog.getByRole('button', { name: 'Ask' }));
  expect(await screen.findByText('Question sent')).toBeDefined();
  expect(server.calls(SEND)[0]?.body).toEqual({ text: `@${sam.name}: Which tier was it?`, stepId: 'assess' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('doesn’t offer to ask a colleague in a personal account', async () => {
  const me = aUser();
  const personal = { ...me, organizations: me.organizations.map((each) => ({ ...each, type: 'individual' as const })) };
  server.on('GET /api/auth/me', { json: personal });
  openRun();
  const step = await card('Assess risk tier');
  expect(step.getByRole('button', { name: 'Complete' })).toBeDefined();
  expect(step.queryByRole('button', { name: 'Ask a colleague' })).toBeNull();
});

test('says that the history has only the latest notes of a long conversation', async () => {
  const run = aRun();
  const noted = { stepId: null, action: 'noted', at: ON_STEP.at, actor: ON_STEP.author, data: { text: 'Again' } };
  const history = [...run.history, ...Array.from({ length: NOTES_IN_HISTORY }, () => noted)];
  server.on('GET /api/runs/*', { json: aRun({ history }) }).on(NOTES, { json: [aNote()] });
  openRun();
  expect(await screen.findByText('The latest 50 notes. The conversation has all of them.')).toBeDefined();
  const step = await card('Assess risk tier');
  expect(step.getByRole('button', { name: 'Notes', expanded: false })).toBeDefined();
});
