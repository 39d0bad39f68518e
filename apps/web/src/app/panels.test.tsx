import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { aSummary } from '../features/workflow-editor/testing/workflows.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import type { FakeServer } from '../testing/fake-server.ts';
import { aRunSummary, aToken, aUser } from '../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../testing/render-app.tsx';

cleanUpAfterEach();

const SAM = {
  id: '0199aaaa-0000-7000-8000-000000000002',
  name: 'Sam Okafor',
  email: 'sam@halden.example',
  role: 'editor',
};
let server: FakeServer;
beforeEach(() => {
  server = startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on('GET /api/workflows', { json: [] })
    .on('GET /api/workflow-counts', { json: { tags: [] } })
    .on('GET /api/organizations/*/users', { json: [SAM] })
    .on('GET /api/runs', ({ query }) => ({
      json: (query.get('q') ?? '') === 'zzz' ? [] : [aRunSummary()],
    }));
});

async function openedPalette() {
  const app = renderApp('/app/settings/profile', { token: aToken() });
  await app.user.click(await screen.findByRole('button', { name: /^Search and commands/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Search and commands' });
  return { ...app, dialog, field: within(dialog).getByRole('combobox') };
}

test('Ctrl+K opens and closes the command palette anywhere, even in a text field', async () => {
  const { user } = renderApp('/app/settings/profile', { token: aToken() });
  await user.click(await screen.findByRole('textbox', { name: 'Full Name' }));
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('dialog', { name: 'Search and commands' })).toBeDefined();
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('keys typed while the palette loads, including Enter, go to the palette and not to the page', async () => {
  const { router } = renderApp('/app/settings/profile', { token: aToken() });
  const heading = await screen.findByRole('heading', { name: 'Profile' });
  const press = (key: string, ctrlKey = false) => fireEvent.keyDown(heading, { key, ctrlKey });
  press('k', true);
  const typed = (text: string) => Array.from(text);
  for (const key of [
    'g',
    'r',
    'Backspace',
    'Backspace',
    ...typed('dark x'),
    'Backspace',
    ...typed('theme'),
    'Enter',
    'q',
  ])
    press(key);
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  delete document.documentElement.dataset['theme'];
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(router.state.location.pathname).toBe('/app/settings/profile');

  press('k', true);
  for (const key of ['d', 'Escape']) press(key);
  press('k', true);
  const dialog = await screen.findByRole('dialog', { name: 'Search and commands' });
  const field = within(dialog).getByRole('combobox');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute('value')).toBe('');
});

test('finds a workflow by its tag, and opens the list of workflows with a tag', async () => {
  server.on('GET /api/workflows', { json: [aSummary({ tags: ['payments'] })] }).on('GET /api/workflow-counts', {
    json: {
      tags: [
        { tag: 'payments', count: 1 },
        { tag: 'hiring', count: 3 },
      ],
    },
  });
  const { user, field, dialog, router } = await openedPalette();
  await user.type(field, 'paym');
  const tags = within(await within(dialog).findByRole('group', { name: 'Tags' }));
  expect(tags.getAllByRole('option')).toHaveLength(1);
  const workflows = within(await within(dialog).findByRole('group', { name: 'Workflows' }));
  expect(workflows.getByRole('option', { name: /Vendor onboarding/ })).toBeDefined();
  await user.click(tags.getByRole('option', { name: /payments\s*1 workflow/ }));
  await waitFor(() =>
    expect(router.state.location.pathname + router.state.location.search).toBe('/app/docs?tag=payments'),
  );
});

test('letters typed after the palette’s field lost focus are appended to its text', async () => {
  const { user, field } = await openedPalette();
  await user.type(field, 'the');
  field.blur();
  for (const key of ['m', 'e']) fireEvent.keyDown(document.body, { key });
  field.focus();
  await waitFor(() => expect(field.getAttribute('value')).toBe('theme'));
});

test('lists the newest runs, then the commands', async () => {
  const { dialog } = await openedPalette();
  expect(await within(dialog).findByRole('option', { name: /Nordlicht GmbH/ })).toBeDefined();
  const groups = within(dialog)
    .getAllByRole('group')
    .map((group) => group.firstElementChild?.textContent);
  expect(groups).toEqual(['Newest runs', 'Commands']);
});

test('finds a run by its name and opens the selected result with Enter', async () => {
  const { user, router, field, dialog } = await openedPalette();
  await user.type(field, 'nordlicht');
  await waitFor(() => expect(server.calls('GET /api/runs').at(-1)?.query.get('q')).toBe('nordlicht'));
  await within(dialog).findByText('1 result');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/runs/${aRunSummary().id}`));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('announces the selected option to screen readers, and wraps around with the arrow keys', async () => {
  const { user, field, dialog } = await openedPalette();
  await user.type(field, 'okafor');
  const sam = await within(dialog).findByRole('option', { name: /Sam Okafor/ });
  await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBe(sam.id));
  await user.clear(field);
  await user.type(field, 'theme');
  const [system, light, dark] = within(dialog).getAllByRole('option');
  await user.keyboard('{ArrowUp}');
  expect(dark?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(light?.getAttribute('aria-selected')).toBe('true');
  expect(system?.getAttribute('aria-selected')).toBe('false');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(document.documentElement.dataset['theme']).toBe('dark');
  delete document.documentElement.dataset['theme'];
});

test('doesn’t offer commands that the person has no permission for', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  const { user, field, dialog } = await openedPalette();
  await user.type(field, 'create workflow');
  expect(await within(dialog).findByText('Nothing found for “create workflow”')).toBeDefined();
  await user.clear(field);
  await user.type(field, 'audit');
  expect(await within(dialog).findByText('Nothing found for “audit”')).toBeDefined();
});

test('G followed by a letter opens a screen, unless the person is typing, a dialog is open or letter shortcuts are off', async () => {
  const { user, router } = renderApp('/app/settings/profile', { token: aToken() });
  const name = await screen.findByRole('textbox', { name: 'Full Name' });
  await user.click(name);
  await user.keyboard('gr?/');
  expect(router.state.location.pathname).toBe('/app/settings/profile');
  expect(screen.queryByRole('dialog')).toBeNull();

  name.blur();
  await user.keyboard('gr');
  await waitFor(() => expect(router.state.location.pathname).toBe('/app/runs'));
  await user.keyboard('?');
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  expect(within(dialog).getAllByRole('heading', { level: 3 })[0]?.textContent).toBe('Runs');
  await user.keyboard('gs');
  expect(router.state.location.pathname).toBe('/app/runs');
  await user.click(within(dialog).getByRole('checkbox', { name: /Single-letter shortcuts/ }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('gs?');
  expect(router.state.location.pathname).toBe('/app/runs');
  expect(screen.queryByRole('dialog')).toBeNull();
});
