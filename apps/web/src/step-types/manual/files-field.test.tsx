import type { Evidence } from '@stet/domain/steps';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, startFakeServer } from '../../testing/fake-server.ts';
import { UiProvider } from '../../ui/ui-provider.tsx';
import { filesIn, typedFiles } from '../run/typed.ts';
import { cleanUpFields } from '../step-settings.fixture.tsx';
import { FormField } from './form-field.tsx';

cleanUpFields();

const SHA256 = 'a'.repeat(64);
const evidence = (name: string): Evidence => ({
  fileId: name,
  sha256: SHA256,
  size: 5,
  name,
  mediaType: 'application/pdf',
});
const file = (name = 'offer.pdf') => new File(['bytes'], name, { type: 'application/pdf' });

let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('POST /api/files', ({ body }) => ({
      status: 201,
      json: { id: (body as { name: string }).name, chunkSize: 262_144, chunks: [] },
    }))
    .on('POST /api/files/*/chunks/*', { json: { stored: 0 } })
    .on('POST /api/files/*/complete', ({ path }) => ({ json: evidence(decodeURIComponent(path.split('/')[3] ?? '')) }));
});

/** Renders a field of a run; `now.value` is the field's current value. */
function open(value = '') {
  const now = { value };
  function Host() {
    const [text, setText] = useState(value);
    const change = (next: string) => {
      now.value = next;
      setText(next);
    };
    const field = { id: 'offer', label: 'Offer', kind: 'file', required: true, help: 'The signed offer.' } as const;
    return (
      <FormField
        field={field}
        value={text}
        error={undefined}
        onChange={change}
        onBlur={undefined}
        place={{ runId: 'run', stepId: 'step' }}
      />
    );
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Host />
    </QueryClientProvider>,
    { wrapper: UiProvider },
  );
  return { now, user: userEvent.setup(), chooser: screen.getByLabelText('Choose files: Offer') };
}
const uploaded = async (name: string) => screen.findByText(`${name} is uploaded`);

describe('a field for files', () => {
  it('is described by its help and its limit', () => {
    const ids = open().chooser.getAttribute('aria-describedby')?.split(' ') ?? [];
    const texts = ids.map((id) => document.getElementById(id)?.textContent);
    expect(texts).toEqual(['The signed offer.', expect.stringContaining('At most 25 MB each.')]);
  });

  it('uploads each chosen, dropped or pasted file once, and can remove it', async () => {
    const { now, user, chooser } = open();
    await user.upload(chooser, [file(), file()]);
    await uploaded('offer.pdf');
    expect(filesIn(now.value)).toEqual([{ name: 'offer.pdf', size: 5, evidence: evidence('offer.pdf') }]);
    const zone = chooser.closest('fieldset')?.querySelector('div');
    if (!zone) throw new Error('no zone');
    fireEvent.drop(zone, { dataTransfer: { files: [file('dropped.pdf')] } });
    await uploaded('dropped.pdf');
    fireEvent.paste(zone, { clipboardData: { files: [file('pasted.pdf')] } });
    await uploaded('pasted.pdf');
    expect(server.calls('POST /api/files')).toHaveLength(3);
    expect(server.calls('POST /api/files')[0]?.body).toMatchObject({ size: 5, runId: 'run', stepId: 'step' });
    await user.click(screen.getByRole('button', { name: 'Remove dropped.pdf' }));
    const asked = within(await screen.findByRole('dialog', { name: 'Remove dropped.pdf?' }));
    expect(asked.getByText(/The uploaded file will be deleted/)).toBeDefined();
    expect(filesIn(now.value)).toHaveLength(3);
    await user.click(asked.getByRole('button', { name: 'Remove' }));
    expect(filesIn(now.value).map(({ name }) => name)).toEqual(['offer.pdf', 'pasted.pdf']);
  });

  it('asks the server to delete a removed file’s upload, even in progress, but to keep a reused one', async () => {
    const { user, chooser } = open();
    const deletions = () =>
      server.calls('DELETE /api/files/*').map(({ path, query }) => [path, query.get('keepReused')]);
    await user.upload(chooser, file());
    await uploaded('offer.pdf');
    expect(deletions()).toEqual([]);
    server.on('DELETE /api/files/*', { status: 409, json: { error: 'It is attached', code: 'file_attached' } });
    await user.click(screen.getByRole('button', { name: 'Remove offer.pdf' }));
    expect(deletions()).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(deletions()).toEqual([['/api/files/offer.pdf', 'true']]));
    // The refusal isn't shown, because the form doesn't contain the file any more.
    expect(screen.queryByText('It is attached')).toBeNull();

    server.on('POST /api/files/*/chunks/*', () => new Promise<never>(() => {}));
    await user.upload(chooser, file('slow.pdf'));
    await waitFor(() => expect(server.calls('POST /api/files/slow.pdf/chunks/0')).toHaveLength(1));
    await user.click(screen.getByRole('button', { name: 'Remove slow.pdf' }));
    await waitFor(() => expect(deletions()[1]).toEqual(['/api/files/slow.pdf', 'true']));
    expect(screen.queryByRole('listitem')).toBeNull();
  });

  it('deletes nothing if a file was never uploaded', async () => {
    const { user, chooser } = open();
    await user.upload(chooser, new File([], 'empty.txt'));
    await user.click(await screen.findByRole('button', { name: 'Remove empty.txt' }));
    expect(server.requests).toEqual([]);
  });

  it('shows why an upload failed, and tries again on request', async () => {
    const { now, user, chooser } = open();
    const error = 'This file would exceed the organization’s storage limit of 40 MB.';
    server.on('POST /api/files', { status: 409, json: { error, code: 'no_file_space' } });
    await user.upload(chooser, file());
    expect(await screen.findByText(error)).toBeDefined();
    expect(filesIn(now.value)).toEqual([{ name: 'offer.pdf', size: 5, problem: error }]);
    server.on('POST /api/files', { status: 201, json: { id: 'offer.pdf', chunkSize: 262_144, chunks: [0] } });
    await user.click(screen.getByRole('button', { name: 'Try again: offer.pdf' }));
    await uploaded('offer.pdf');
    expect(server.calls('POST /api/files/*/chunks/*')).toHaveLength(0);
    expect(filesIn(now.value)).toEqual([{ name: 'offer.pdf', size: 5, evidence: evidence('offer.pdf') }]);
  });

  it('still shows after a reload why an upload failed', async () => {
    const { now, user, chooser } = open();
    const error = 'This file would exceed the organization’s storage limit of 40 MB.';
    server.on('POST /api/files', { status: 409, json: { error, code: 'no_file_space' } });
    await user.upload(chooser, [file(), new File([], 'empty.txt')]);
    await screen.findByText(error);
    cleanup();
    open(now.value);
    expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
      `offer.pdf 5 bytes${error}`,
      'empty.txt 0 bytesThis file is empty',
    ]);
  });

  it('continues automatically after the server was unavailable', async () => {
    const { chooser, user } = open();
    let calls = 0;
    server.on('POST /api/files/*/chunks/*', () => {
      calls += 1;
      return calls === 1 ? { status: 503, json: { error: '', code: 'starting' } } : { json: { stored: 0 } };
    });
    await user.upload(chooser, file());
    await uploaded('offer.pdf');
    expect(calls).toBe(2);
  });

  it('after a reload, shows complete files, and asks for interrupted ones again', async () => {
    const { now, user, chooser } = open(
      typedFiles([
        { name: 'done.pdf', size: 5, evidence: evidence('done.pdf') },
        { name: 'offer.pdf', size: 5 },
      ]),
    );
    const rows = within(screen.getByRole('list', { name: 'Files: Offer' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      'done.pdf 5 bytes',
      'offer.pdf 5 bytesThe upload was interrupted. Choose this file again to continue.',
    ]);
    await user.upload(chooser, file());
    await uploaded('offer.pdf');
    expect(filesIn(now.value).map((entry) => entry.evidence?.fileId)).toEqual(['done.pdf', 'offer.pdf']);
  });

  it('refuses an empty file and a file that is too large without asking the server', async () => {
    const { user, chooser } = open();
    const large = file('large.mov');
    Object.defineProperty(large, 'size', { value: 25 * 1024 * 1024 + 1 });
    await user.upload(chooser, [new File([], 'empty.txt'), large]);
    expect(await screen.findByText('This file is empty')).toBeDefined();
    expect(screen.getByText('This file is larger than 25 MB')).toBeDefined();
    expect(server.requests).toEqual([]);
  });

  it('can’t be used in a preview', () => {
    const { chooser } = openPreview();
    expect((chooser as HTMLInputElement).disabled).toBe(true);
  });
});

function openPreview() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FormField
        field={{ id: 'offer', label: 'Offer', kind: 'file', required: true }}
        value=""
        error={undefined}
        onChange={() => undefined}
        onBlur={undefined}
      />
    </QueryClientProvider>,
    { wrapper: UiProvider },
  );
  return { chooser: screen.getByLabelText('Choose files: Offer') };
}
