import { newStep } from '@stet/domain/workflows';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DRAFT_ID, STEPS } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { DRAFT, isUnsaved, open, startEditServer, titles, undo } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

const NEW = '/app/editor?key=new&mode=edit';
const READ = 'POST /api/workflow-files/read';
const file = (text: string, name: string) => new File([text], name);

type App = Awaited<ReturnType<typeof open>>;
const upload = ({ container }: App, picked: File) => {
  const chooser = container.querySelector<HTMLInputElement>('input[type="file"]');
  if (!chooser) throw new Error('no chooser');
  fireEvent.change(chooser, { target: { files: [picked] } });
};

describe('import', () => {
  const read = {
    key: 'other',
    metadata: null,
    steps: [...STEPS.slice(0, 2), { ...newStep('s9'), title: 'Archive' }],
    leftOut: [],
  };

  test('shows a preview and is one undoable change', async () => {
    server.on(READ, { json: read });
    const app = await open();
    upload(app, file('steps: …', 'vendor.yml'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Import vendor.yml' }));
    expect(dialog.getByText('1 added')).toBeDefined();
    expect(dialog.getByText('1 removed')).toBeDefined();
    expect(titles()).toEqual(STEPS.map(({ title }) => title));
    await app.user.click(dialog.getByRole('button', { name: 'Import' }));
    expect(await screen.findByText('Import Successful')).toBeDefined();
    expect(titles()).toEqual(['Register the request', 'Compliance review', 'Archive']);
    expect(isUnsaved()).toBe(true);
    const [call] = server.calls(READ);
    expect(call?.query.get('format')).toBe('yaml');
    expect(call?.body).toBe('steps: …');
    await app.user.click(undo());
    expect(isUnsaved()).toBe(false);
  });

  test('lists the diagram elements that it omits', async () => {
    const leftOut = [
      { what: 'timer event', name: 'Wait a day', reason: 'Workflows don’t support this element' },
      { what: 'lane', name: '', reason: 'A step has its own assignee' },
    ];
    server.on(READ, { json: { ...read, leftOut } });
    const app = await open();
    upload(app, file('<bpmn:definitions/>', 'claim.bpmn'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Import claim.bpmn' }));
    const list = within(dialog.getByRole('region', { name: 'Omitted parts' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Wait a day timer eventWorkflows don’t support this element',
      'laneA step has its own assignee',
    ]);
    expect(server.calls(READ)[0]?.query.get('format')).toBe('bpmn');
    expect(server.calls(READ)[0]?.headers.get('content-type')).toBe('application/xml');
  });

  test('changes nothing if it is cancelled', async () => {
    server.on(READ, { json: read });
    const app = await open();
    upload(app, file('x', 'a.yaml'));
    await app.user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(titles()).toEqual(STEPS.map(({ title }) => title));
    expect(isUnsaved()).toBe(false);
  });

  test.each([
    ['Unsupported file format', DRAFT, file('x', 'a.txt')],
    ['YAML import requires an existing workflow', NEW, file('steps: []', 'a.yaml')],
    ['Invalid workflow format', DRAFT, file('{"metadata":{}}', 'a.json')],
    ['The file is larger than 1 MiB', DRAFT, file('x'.repeat(1024 * 1024 + 1), 'a.yaml')],
  ])('is refused with "%s" and doesn’t change the document', async (sentence, address, picked) => {
    const app = await open(address);
    const before = titles();
    upload(app, picked);
    await waitFor(() => expect(screen.getAllByText(new RegExp(sentence)).length).toBeGreaterThan(1));
    expect(screen.getAllByText('Import Failed').length).toBeGreaterThan(0);
    expect(server.calls(READ)).toHaveLength(0);
    expect(titles()).toEqual(before);
    expect(isUnsaved()).toBe(false);
  });

  test('shows the position of the problem that the server reports in an invalid file', async () => {
    const error = 'Line 4, column 3: title is missing';
    server.on(READ, { status: 400, json: { error, code: 'invalid_file', details: [] } });
    const app = await open();
    upload(app, file('steps:', 'a.yaml'));
    await waitFor(() => expect(screen.getAllByText(new RegExp(error)).length).toBeGreaterThan(1));
    expect(isUnsaved()).toBe(false);
  });
});

describe('export', () => {
  let saved: { name: string; blob: Blob }[];
  beforeEach(() => {
    saved = [];
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => `blob:${blobs.push(blob as Blob)}`);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      const blob = blobs[Number(this.href.slice(5)) - 1];
      if (this.download && blob) saved.push({ name: this.download, blob });
    });
    return () => vi.restoreAllMocks();
  });

  test('saves the server’s YAML of a saved workflow', async () => {
    server.on('GET /api/workflows/*/export-yaml', {
      text: 'stet: 1\n',
      headers: { 'content-type': 'application/yaml' },
    });
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    expect(await screen.findByText('Workflow Exported')).toBeDefined();
    expect(screen.getByText('YAML')).toBeDefined();
    expect(saved.map(({ name }) => name)).toEqual(['vendor-onboarding.yaml']);
    expect(server.calls('GET /api/workflows/*/export-yaml')[0]?.query.get('draftId')).toBe(DRAFT_ID);
  });

  test.each([
    ['JSON', 'export-yaml', 'vendor-onboarding.json'],
    ['BPMN diagram', 'export-bpmn', 'vendor-onboarding.bpmn'],
  ])('offers %s in a menu for a saved workflow', async (label, path, name) => {
    const key = `GET /api/workflows/*/${path}`;
    server.on(key, { text: '<file/>', headers: { 'content-type': 'application/xml' } });
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Other file formats' }));
    await user.click(await screen.findByRole('menuitem', { name: label }));
    expect(await screen.findByText('Workflow Exported')).toBeDefined();
    expect(saved.map((file) => file.name)).toEqual([name]);
    expect(server.calls(key)[0]?.query.get('draftId')).toBe(DRAFT_ID);
  });

  test('exports an unsaved workflow as JSON with its key and name', async () => {
    const { user } = await open(NEW);
    await user.clear(screen.getByLabelText('Workflow Name'));
    await user.type(screen.getByLabelText('Workflow Name'), 'Fresh');
    await user.click(screen.getByRole('button', { name: 'Export' }));
    expect(await screen.findByText('JSON')).toBeDefined();
    expect(saved[0]?.name).toBe('fresh.json');
    const written = JSON.parse((await saved[0]?.blob.text()) ?? '') as { key: string; metadata: { title: string } };
    expect(`${written.key}.json`).toBe(saved[0]?.name);
    expect(written.metadata.title).toBe('Fresh');
  });

  test('shows the reason if it fails', async () => {
    server.on('GET /api/workflows/*/export-yaml', { status: 500, text: '' });
    const { user } = await open();
    await user.click(screen.getByRole('button', { name: 'Export' }));
    expect((await screen.findAllByText(/Failed to export workflow/)).length).toBeGreaterThan(0);
    expect(screen.getAllByText('Export Failed').length).toBeGreaterThan(0);
  });
});
