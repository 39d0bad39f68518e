import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDraft, aSummary } from '../../features/workflow-editor/testing/workflows.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aUser } from '../../testing/records.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { SAVE, isUnsaved, open, startEditServer, undo } from './edit-mode.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
beforeEach(() => {
  server = startEditServer();
});

describe('unsaved changes in this browser', () => {
  const leaveBehind = async (text: string) => {
    const app = await open();
    await app.user.type(screen.getByLabelText('Description'), text);
    fireEvent(window, new Event('pagehide'));
    // The page gets no other event when its tab closes.
    app.unmount();
  };
  const description = () => screen.getByLabelText<HTMLTextAreaElement>('Description').value;

  test('are offered after the tab was closed, are never applied automatically, and are restored as one change', async () => {
    await leaveBehind(' More.');
    const { user } = await open();
    expect(description()).not.toContain('More.');
    expect(isUnsaved()).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
    expect(description()).toContain('More.');
    expect(isUnsaved()).toBe(true);
    expect(screen.queryByRole('button', { name: 'Restore unsaved changes' })).toBeNull();
    await user.click(undo());
    expect(description()).not.toContain('More.');
  });

  test('can be discarded, which a toast can undo', async () => {
    await leaveBehind(' More.');
    const first = await open();
    await first.user.click(await screen.findByRole('button', { name: 'Discard them' }));
    expect(screen.queryByRole('button', { name: 'Restore unsaved changes' })).toBeNull();
    const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
    expect(await toasts.findByText('Unsaved changes discarded')).toBeDefined();
    await first.user.click(toasts.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('button', { name: 'Restore unsaved changes' })).toBeDefined();
    first.unmount();
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
    expect(description()).toContain('More.');
  });

  test('can be discarded permanently', async () => {
    await leaveBehind('!');
    const first = await open();
    await first.user.click(await screen.findByRole('button', { name: 'Discard them' }));
    first.unmount();
    await open();
    expect(screen.queryByRole('button', { name: 'Restore unsaved changes' })).toBeNull();
  });

  test('are removed once they are saved and aren’t offered to other people', async () => {
    await leaveBehind('!');
    server.on('GET /api/auth/me', { json: aUser({ id: '0199aaaa-0000-7000-8000-0000000000ff' }) });
    const other = await open();
    expect(screen.queryByRole('button', { name: 'Restore unsaved changes' })).toBeNull();
    other.unmount();
    server.on('GET /api/auth/me', { json: aUser() });
    const own = await open();
    await own.user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
    await own.user.keyboard('{Control>}s{/Control}');
    expect(await screen.findByText('Workflow Saved')).toBeDefined();
    await waitFor(() => expect(Object.keys(localStorage).filter((key) => key.startsWith('stet_unsaved'))).toEqual([]));
  });

  test('are merged with someone else’s newer save, with a question for each conflict', async () => {
    await leaveBehind(' Mine.');
    const theirs = { ...aSummary().metadata, description: 'Theirs.' };
    server.on('GET /api/workflows/*/drafts/*', { json: aDraft({ revision: 9, metadata: theirs }) });
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'Restore unsaved changes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge both changes' }));
    await user.click(dialog.getByRole('radio', { name: /^Mine/ }));
    await user.click(dialog.getByRole('button', { name: 'Use merged version' }));
    expect(description()).toContain('Mine.');
    await user.keyboard('{Control>}s{/Control}');
    await waitFor(() => expect(server.calls(SAVE)[0]?.headers.get('if-match')).toBe('"9"'));
  });
});
