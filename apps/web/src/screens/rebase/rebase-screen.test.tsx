import { screen, waitFor, within } from '@testing-library/react';
import { mergeContent } from '@stet/domain/drafts';
import type { Step } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';
import { describe, expect, test } from 'vitest';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const DRAFT = '0199aaaa-0000-7000-8000-0000000000d1';
const LIVE = '0199aaaa-0000-7000-8000-0000000000d2';
const ADDRESS = `/app/rebase?key=vendor-onboarding&id=${DRAFT}`;
const ROUTE = '/api/workflows/vendor-onboarding/drafts/*/rebase';

const step = (id: string, fields: Partial<Step>): Step => ({ ...newStep(id), ...fields });
const content = (title: string, ...steps: Step[]) => ({
  metadata: { title, description: '' },
  steps: steps.map((each, n) => ({ ...each, next: steps.slice(n + 1, n + 2).map(({ id }) => id) })),
});
const collect = (fields: Partial<Step>) => step('collect', { title: 'Collect documents', ...fields });
const base = content('Vendor onboarding', collect({ sla: '1 day', description: 'Ask for the tax form' }));

function question(
  live = content('Vendor onboarding', collect({ sla: '2 days', description: 'Ask for the tax form and the register' })),
  draft = content('Vendor onboarding', collect({ sla: '4h', description: 'Ask for the tax form twice' })),
  change: object = {},
) {
  return {
    draftId: DRAFT,
    revision: 3,
    upToDate: false,
    base: { id: 'b', version: 3, ...base },
    live: { id: LIVE, version: 4, ...live },
    draft,
    conflicts: mergeContent(base, live, draft).conflicts,
    ...change,
  };
}
const open = (json: object = question()): FakeServer =>
  startFakeServer()
    .on('GET /api/auth/me', { json: aUser() })
    .on(`GET ${ROUTE}`, { json })
    .on(`POST ${ROUTE}`, { json: { draftId: DRAFT, revision: 4, baseVersion: 4, rebased: true } });
const rebase = () => screen.getByRole('button', { name: 'Rebase draft' });
const group = (name: RegExp) => screen.findByRole('group', { name });

test('each conflicting field is resolved separately before the draft is rebased', async () => {
  const server = open();
  const { user, router } = renderApp(ADDRESS, { token: aToken() });
  const sla = await group(/^Collect documents: SLA ?open/);
  expect(sla.textContent).toContain('1 day');
  expect(screen.getByText('0 of 2 resolved')).toBeDefined();
  expect(rebase().getAttribute('aria-disabled')).toBe('true');

  await user.click(within(sla).getByRole('radio', { name: /^Use v4/ }));
  expect(screen.getByText('1 of 2 resolved')).toBeDefined();
  const task = await group(/^Collect documents: Task ?open/);
  await user.click(within(task).getByRole('radio', { name: 'Write your own' }));
  const own = within(task).getByRole('textbox', { name: 'Your own text for Task, Collect documents' });
  await user.clear(own);
  await user.type(own, 'Ask once');
  expect(screen.getByText('2 of 2 resolved')).toBeDefined();
  await user.click(rebase());

  await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
  expect(router.state.location.search).toContain(`draftId=${DRAFT}`);
  const [sent] = server.calls(`POST ${ROUTE}`);
  expect(sent?.headers.get('if-match')).toBe('"3"');
  expect(sent?.body).toEqual({
    liveVersionId: LIVE,
    resolutions: [
      { on: 'step', stepId: 'collect', field: 'description', value: 'Ask once' },
      { on: 'step', stepId: 'collect', field: 'sla', take: 'live' },
    ],
  });
});

test('resolves all open conflicts with one click and keeps earlier answers', async () => {
  const server = open();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  const sla = await group(/^Collect documents: SLA ?open/);
  await user.click(within(sla).getByRole('radio', { name: /^Keep draft/ }));
  await user.click(screen.getByRole('button', { name: 'Use v4 for all open conflicts' }));
  await user.click(rebase());
  await waitFor(() => expect(server.calls(`POST ${ROUTE}`)).toHaveLength(1));
  expect(server.calls(`POST ${ROUTE}`)[0]?.body).toMatchObject({
    resolutions: [
      { field: 'description', take: 'live' },
      { field: 'sla', take: 'draft' },
    ],
  });
});

test('resolves all conflicts of a step with one click', async () => {
  open();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Use v4 here' }));
  expect(screen.getByText('2 of 2 resolved')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Keep draft here' }));
  expect(screen.getAllByRole('radio', { name: /^Keep draft/, checked: true })).toHaveLength(2);
});

test('shows a preview of the result before the rebase', async () => {
  open();
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Use v4 here' }));
  await user.click(screen.getByRole('button', { name: 'Outcome' }));
  expect(await screen.findByText('The draft would contain no changes, so it would be identical to v4.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: /^Conflicts/ }));
  await user.click(screen.getByRole('button', { name: 'Keep draft here' }));
  await user.click(screen.getByRole('button', { name: 'Outcome' }));
  const outcome = screen.getByRole('region', { name: 'Outcome' });
  expect(await within(outcome).findByRole('region', { name: 'Collect documents' })).toBeDefined();
  expect(outcome.textContent).toContain('4h');
});

test('shows the result immediately if there is no conflict', async () => {
  const live = content('Vendor onboarding', collect({ sla: '2 days', description: 'Ask for the tax form' }));
  const draft = content('Suppliers', collect({ sla: '1 day', description: 'Ask for the tax form' }));
  const server = open(question(live, draft));
  const { user } = renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText(/so there are no conflicts/)).toBeDefined();
  expect(await screen.findByText('The draft’s changes to v4:')).toBeDefined();
  await user.click(rebase());
  await waitFor(() => expect(server.calls(`POST ${ROUTE}`)).toHaveLength(1));
});

test('answers survive a reload', async () => {
  open();
  const first = renderApp(ADDRESS, { token: aToken() });
  await first.user.click(await screen.findByRole('button', { name: 'Use v4 here' }));
  first.unmount();
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByText('2 of 2 resolved')).toBeDefined();
});

describe('another version that goes live during the rebase', () => {
  test('is announced, and reopens only the conflicts in fields that it changed', async () => {
    const server = open();
    server.on(`POST ${ROUTE}`, () => {
      const later = content(
        'Vendor onboarding',
        collect({ sla: '3 days', description: 'Ask for the tax form and the register' }),
      );
      server.on(`GET ${ROUTE}`, { json: question(later, undefined, { live: { id: 'later', version: 5, ...later } }) });
      return { status: 409, json: { error: 'Another version went live in the meantime', code: 'live_changed' } };
    });
    const { user } = renderApp(ADDRESS, { token: aToken() });
    await user.click(await screen.findByRole('button', { name: 'Keep draft here' }));
    await user.click(rebase());
    expect(await screen.findByText(/Your choices are kept/)).toBeDefined();
    expect(await screen.findByText('1 of 2 resolved')).toBeDefined();
    expect(await group(/^Collect documents: SLA ?open/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Use v5 for all open conflicts' })).toBeDefined();
  });
});

test('shows why the rebased draft would be invalid and links to the draft', async () => {
  open().on(`POST ${ROUTE}`, {
    status: 400,
    json: { error: 'These steps form a loop: "A", "B"', code: 'invalid_workflow' },
  });
  const { user } = renderApp(ADDRESS, { token: aToken() });
  await user.click(await screen.findByRole('button', { name: 'Keep draft here' }));
  await user.click(rebase());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('These steps form a loop');
  expect(within(alert).getByRole('link', { name: 'Open the draft' })).toBeDefined();
  expect(screen.getByText('2 of 2 resolved')).toBeDefined();
});

test.each([
  [
    'a draft based on the live version',
    { json: { ...question(), upToDate: true, conflicts: [] } },
    'This draft is based on the live version',
  ],
  [
    'a merged draft',
    { status: 409, json: { error: 'This draft was already merged as version 4', code: 'already_merged' } },
    'This draft was already merged',
  ],
  ['an unknown draft', { status: 404, json: { error: 'Draft not found', code: 'not_found' } }, 'Draft not found'],
])('shows a message for %s', async (_, answer, title) => {
  open().on(`GET ${ROUTE}`, answer);
  renderApp(ADDRESS, { token: aToken() });
  expect(await screen.findByRole('heading', { name: title })).toBeDefined();
});

test('people who can’t edit see both sides and why they can’t rebase', async () => {
  open().on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  renderApp(ADDRESS, { token: aToken() });
  await group(/^Collect documents: SLA ?open/);
  expect(rebase().getAttribute('title')).toBe('Only owners, admins and editors can rebase drafts');
});
