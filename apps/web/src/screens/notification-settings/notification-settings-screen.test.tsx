import type { NotificationPreferences } from '@stet/contract';
import { DEFAULT_PREFERENCES } from '@stet/domain/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import { anOwner } from '../../testing/people.ts';
import { aToken } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const HERE = '/api/notifications/preferences';
const preferences = (change: Partial<NotificationPreferences> = {}): NotificationPreferences => ({
  paces: DEFAULT_PREFERENCES,
  digest: { hour: 8, timeZone: 'Europe/Berlin' },
  slackConnected: true,
  ...change,
});
const serve = (now = preferences()) =>
  startFakeServer().on('GET /api/auth/me', { json: anOwner() }).on(`GET ${HERE}`, { json: now });
const open = () => renderApp('/app/settings/notifications', { token: aToken() });
const select = (name: string) => screen.findByRole<HTMLSelectElement>('combobox', { name });

test('offers a choice for each kind and channel; assignments always appear in the app', async () => {
  serve();
  open();
  const table = within(await screen.findByRole('table', { name: 'How you are notified' }));
  expect(table.getAllByRole('rowheader').map((head) => head.firstElementChild?.textContent)).toEqual([
    'Assignments',
    'SLA warnings',
    'Review requests',
    'Decisions',
    'Mentions',
  ]);
  expect(table.getAllByRole('combobox')).toHaveLength(14);
  expect(screen.queryByRole('combobox', { name: 'Assignments: In the app' })).toBeNull();
  expect(table.getByText('Always')).toBeDefined();
  const inApp = await select('Mentions: In the app');
  expect([...inApp.options].map(({ text }) => text)).toEqual(['Immediately', 'Off']);
  const mail = await select('Mentions: Email');
  expect([...mail.options].map(({ text }) => text)).toEqual(['Immediately', 'Daily digest', 'Off']);
  expect((await select('Mentions: Slack')).value).toBe('off');
  expect(screen.getByText(/sent daily at 08:00 \(Europe\/Berlin\)/)).toBeDefined();
  expect(screen.queryByText(/Slack isn’t connected yet/)).toBeNull();
});

test('saves a change immediately', async () => {
  const picked = preferences({
    paces: { ...DEFAULT_PREFERENCES, mentions: { ...DEFAULT_PREFERENCES.mentions, email: 'daily' } },
  });
  let answer: (() => void) | undefined;
  const server = serve().on(`PATCH ${HERE}`, async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return { json: picked };
  });
  const { user } = open();
  const mail = await select('Mentions: Email');
  await user.selectOptions(mail, 'Daily digest');
  await waitFor(() => expect(mail.value).toBe('daily'));
  await waitFor(() => expect(server.calls(`PATCH ${HERE}`)).toHaveLength(1));
  expect(server.calls(`PATCH ${HERE}`)[0]?.body).toEqual({ news: 'mentions', channel: 'email', pace: 'daily' });
  server.on(`GET ${HERE}`, { json: picked });
  answer?.();
  expect(await screen.findByText('Saved “Mentions, Email: Daily digest”')).toBeDefined();
  expect(mail.value).toBe('daily');
});

test('reverts and reports a change that couldn’t be saved', async () => {
  serve().on(`PATCH ${HERE}`, { status: 503, json: { error: 'The database does not answer', code: 'unavailable' } });
  const { user } = open();
  const slack = await select('Review requests: Slack');
  await user.selectOptions(slack, 'Immediately');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('“Review requests, Slack” was not saved: The database does not answer');
  expect(slack.value).toBe('off');
});

test('says if Slack isn’t connected', async () => {
  serve(preferences({ slackConnected: false }));
  open();
  const part = within(await screen.findByRole('region', { name: 'Preferences' }));
  expect(part.getByText(/Slack isn’t connected yet/)).toBeDefined();
  expect(part.getByRole('link').getAttribute('href')).toBe('/app/integrations');
});

test('offers a retry if the preferences can’t be loaded', async () => {
  const server = serve().on(`GET ${HERE}`, { status: 500, json: { error: 'It broke', code: 'internal' } });
  const { user } = open();
  expect(await screen.findByText('Error loading your preferences')).toBeDefined();
  server.on(`GET ${HERE}`, { json: preferences() });
  await user.click(screen.getByRole('button', { name: /again|retry/i }));
  expect(await screen.findByRole('table')).toBeDefined();
});
