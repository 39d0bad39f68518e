import { NOTES_IN_HISTORY, type Note } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
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

test('adds a note about the whole run, and an answer to the step of the note', async () => {
  server.on(NOTES, { json: [ON_STEP] });
  const { user } = openRun();
  const region = await conversation();
  const field = region.getByRole('textbox', { name: 'Write a note, @ mentions someone' });
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

test('keeps the form if the notes can’t be loaded, and tries again', async () => {
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
  const field = region.getByRole('textbox', { name: 'Write a note, @ mentions someone' });
  await user.type(field, 'One more');
  await user.click(region.getByRole('button', { name: 'Send' }));
  expect(await region.findByText('This run has reached the limit of 1000 notes.')).toBeDefined();
  expect((field as HTMLTextAreaElement).value).toBe('One more');
});

test('shows a step’s notes in one line below it, and all of them with a form on request', async () => {
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
  expect(await dialog.findByText('Choose whom to ask')).toBeDefined();
  expect(dialog.getByText('Write your question')).toBeDefined();
  await user.type(dialog.getByRole('combobox', { name: 'Whom' }), sam.name.slice(0, 3));
  await user.keyboard('{Enter}');
  await user.type(dialog.getByRole('textbox', { name: 'Question' }), 'Which tier was it?');
  await user.click(dialog.getByRole('button', { name: 'Ask' }));
  expect(await screen.findByText('Question sent')).toBeDefined();
  expect(server.calls(SEND)[0]?.body).toEqual({ text: `@${sam.name}: Which tier was it?`, stepId: 'assess' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('offers nobody to ask in a personal account', async () => {
  const me = aUser();
  const personal = { ...me, organizations: me.organizations.map((each) => ({ ...each, type: 'individual' as const })) };
  server.on('GET /api/auth/me', { json: personal });
  openRun();
  const step = await card('Assess risk tier');
  expect(step.getByRole('button', { name: 'Complete' })).toBeDefined();
  expect(step.queryByRole('button', { name: 'Ask a colleague' })).toBeNull();
});

test('says that a long conversation isn’t part of the history as a whole', async () => {
  const run = aRun();
  const noted = { stepId: null, action: 'noted', at: ON_STEP.at, actor: ON_STEP.author, data: { text: 'Again' } };
  const history = [...run.history, ...Array.from({ length: NOTES_IN_HISTORY }, () => noted)];
  server.on('GET /api/runs/*', { json: aRun({ history }) }).on(NOTES, { json: [aNote()] });
  openRun();
  expect(await screen.findByText('The latest 50 notes. The conversation has all of them.')).toBeDefined();
  const step = await card('Assess risk tier');
  expect(step.getByRole('button', { name: 'Notes', expanded: false })).toBeDefined();
});
