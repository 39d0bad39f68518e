import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aRun } from '../../testing/records.ts';
import { anOwner, members } from '../../testing/people.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { DRAFT, open, panelOf, row, startDocumentationServer, version } from '../../testing/documentation-scene.ts';

cleanUpAfterEach();

const ROLLBACK = 'POST /api/workflows/*/versions/*/rollback';

let server: FakeServer;
beforeEach(() => {
  server = startDocumentationServer();
});

describe('the panel', () => {
  test('opens with View and shows five steps and every version', async () => {
    const { user, router } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'View Vendor onboarding' }));
    expect(router.state.location.search).toBe('?key=vendor-onboarding');
    const panel = await panelOf();
    expect(panel.getByText('first 5 of 7 steps')).toBeDefined();
    expect(panel.getByText('Part 5')).toBeDefined();
    expect(panel.queryByText('Part 6')).toBeNull();
    const review = await panel.findByRole('link', { name: 'Open review of draft 00000001' });
    expect(review.getAttribute('href')).toBe(`/app/review?key=vendor-onboarding&id=${DRAFT.id}`);
    expect(panel.getAllByRole('link', { name: /Open review/ })).toHaveLength(1);
    expect(panel.getAllByRole('button', { name: /^Rollback/ })).toHaveLength(3);
    const rollback = panel.getByRole('button', { name: 'Rollback to v7' });
    expect(rollback.getAttribute('aria-disabled')).toBe('true');
    expect(rollback.title).toBe('This version is already live');
    expect(panel.getByRole('link', { name: 'Compare v6 with v5' }).getAttribute('href')).toBe(
      '/app/compare?key=vendor-onboarding&from=5&to=6',
    );
  });

  test('downloads a merged version’s certificate in the chosen format, and shows the reason for a refusal', async () => {
    const CERTIFICATE = 'GET /api/workflows/*/versions/*/certificate';
    onTestFinished(() => void vi.restoreAllMocks());
    const files: { blob: Blob; name: string }[] = [];
    const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:certificate');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      files.push({ blob: create.mock.lastCall?.[0] as Blob, name: this.download });
    });
    server.on(CERTIFICATE, { text: '{"certified":true}' });
    const { user } = open();
    await user.click(within(await row(/Vendor onboarding/)).getByRole('button', { name: 'View Vendor onboarding' }));
    const panel = await panelOf();
    const pick = async (format: string) => {
      await user.click(await panel.findByRole('button', { name: 'Certificate of v6' }));
      await user.click(await screen.findByRole('menuitem', { name: format }));
    };
    await pick('JSON');
    await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['vendor-onboarding-v6-certificate.json']));
    expect(await files[0]?.blob.text()).toBe('{"certified":true}');
    const [call] = server.calls(CERTIFICATE);
    expect(call?.path).toBe(
      '/api/workflows/vendor-onboarding/versions/0199eeee-0000-7000-8000-000000000006/certificate',
    );
    expect(call?.query.get('format')).toBe('json');
    server.on(CERTIFICATE, { status: 409, json: { code: 'no_certificate', error: 'The audit trail has a problem.' } });
    await pick('PDF');
    expect(await screen.findByText('Certificate Failed')).toBeDefined();
    expect(screen.getByText('The audit trail has a problem.')).toBeDefined();
    expect(server.calls(CERTIFICATE).map(({ query }) => query.get('format'))).toEqual(['json', 'pdf']);
    expect(files).toHaveLength(1);
    expect(panel.queryByRole('button', { name: /^Certificate of draft/i })).toBeNull();
  });

  test('follows the arrow keys, closes with Escape, and opens the document with Enter', async () => {
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    await panelOf();
    (await row(/Vendor onboarding/)).focus();
    await user.keyboard('{ArrowDown}');
    await panelOf('Expense approval');
    expect(router.state.location.search).toBe('?key=expense-approval');
    expect((await row(/Expense approval/)).getAttribute('aria-selected')).toBe('true');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(router.state.location.search).toBe('');
    await user.keyboard('{Enter}');
    await panelOf('Expense approval');
    server.on('GET /api/workflows/*/document', {
      status: 404,
      json: { error: 'There is no such workflow', code: 'not_found' },
    });
    await user.keyboard('{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/docs/expense-approval'));
  });

  test('shows a message if the address contains an unknown workflow', async () => {
    server.on('GET /api/workflows/gone', {
      status: 404,
      json: { error: 'There is no such workflow', code: 'not_found' },
    });
    open('/app/docs?key=gone');
    const alert = await (await panelOf('gone')).findByRole('alert');
    expect(alert.textContent).toContain('There is no such workflow');
    const toasts = within(screen.getByRole('region', { name: 'Notifications' }));
    expect(toasts.getByRole('alert').textContent).toBe('ErrorThere is no such workflow');
  });
});

test('asks for a run’s name, then starts and opens the run', async () => {
  server
    .on('GET /api/runs', { json: [] })
    .on('POST /api/runs', { status: 201, json: aRun() })
    .on('GET /api/runs/*', { json: aRun() });
  const { user, router } = open('/app/docs?key=vendor-onboarding');
  await user.click(await (await panelOf()).findByRole('button', { name: 'Run' }));
  const name = await screen.findByLabelText('Run Name');
  expect(server.calls('POST /api/runs')).toHaveLength(0);
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe(`/app/workflows/run/vendor-onboarding/${aRun().id}`));
});

describe('rolling back', () => {
  test('asks for confirmation and a reason and refetches the list', async () => {
    server.on(ROLLBACK, { json: { version: version({ version: 6, status: 'live' }) } });
    const { user } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Rollback to v6' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rollback' }));
    expect(dialog.getAllByText(/Vendor onboarding/), 'named once').toHaveLength(1);
    expect(
      dialog.getByText('Rollback Vendor onboarding to version 6? This will replace the current live version.'),
    ).toBeDefined();
    await user.type(dialog.getByLabelText('Reason'), ' v7 lost a check ');
    const before = server.calls('GET /api/workflow-search').length;
    await user.click(dialog.getByRole('button', { name: 'Rollback' }));
    expect(await screen.findByText('Rolled back')).toBeDefined();
    expect(server.calls(ROLLBACK)[0]).toMatchObject({
      path: '/api/workflows/vendor-onboarding/versions/6/rollback',
      body: { reason: 'v7 lost a check' },
    });
    await waitFor(() => expect(server.calls('GET /api/workflow-search').length).toBeGreaterThan(before));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('keeps the dialog open after a refusal and shows the reason', async () => {
    server.on(ROLLBACK, { status: 409, json: { error: 'Version 6 is live already', code: 'already_live' } });
    const { user } = open('/app/docs?key=vendor-onboarding');
    await user.click(await (await panelOf()).findByRole('button', { name: 'Rollback to v6' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Rollback' }));
    expect(await dialog.findByText('Give a reason for the rollback')).toBeDefined();
    expect(server.calls(ROLLBACK)).toHaveLength(0);
    await user.type(dialog.getByLabelText('Reason'), 'v7 lost a check');
    await user.click(dialog.getByRole('button', { name: 'Rollback' }));
    expect(await screen.findByText('Rollback failed')).toBeDefined();
    expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).toContain('Version 6 is live already');
  });

  const NEEDS_REVIEW = {
    status: 409,
    json: {
      error: 'Version 6 takes controls away, so it needs a review.',
      code: 'rollback_needs_review',
      details: [{ kind: 'approval_removed', sentence: 'CFO approval is gone' }],
    },
  };
  async function askForV6(user: ReturnType<typeof open>['user']) {
    await user.click(await (await panelOf()).findByRole('button', { name: 'Rollback to v6' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Reason'), 'v7 is wrong');
    await user.click(dialog.getByRole('button', { name: 'Rollback' }));
    return within(await screen.findByRole('dialog', { name: /needs a review$/ }));
  }

  test('lists the controls that it would remove and offers to create a draft', async () => {
    const draftId = DRAFT.id;
    server
      .on(ROLLBACK, NEEDS_REVIEW)
      .on('POST /api/workflows/*/versions/*/restore', { status: 201, json: { draftId } });
    const { user, router } = open('/app/docs?key=vendor-onboarding');
    const dialog = await askForV6(user);
    expect(dialog.getByText('This version can only go live again through a review:')).toBeDefined();
    expect(dialog.getByRole('listitem').textContent).toBe('CFO approval is gone');
    expect(dialog.queryByRole('button', { name: 'Roll back in an emergency' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Open as draft' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/app/editor'));
    expect(router.state.location.search).toContain(`draftId=${draftId}`);
    expect(server.calls('POST /api/workflows/*/versions/*/restore')[0]?.path).toContain('/versions/6/');
  });

  test('returns the focus to its button after both dialogs close', async () => {
    server.on(ROLLBACK, NEEDS_REVIEW);
    const { user } = open('/app/docs?key=vendor-onboarding');
    await askForV6(user);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rollback to v6' })));
  });

  test('lets an owner skip the review, in an emergency and with a reason', async () => {
    server.on('GET /api/auth/me', { json: anOwner() }).on(ROLLBACK, NEEDS_REVIEW);
    const { user } = open('/app/docs?key=vendor-onboarding');
    const dialog = await askForV6(user);
    server.on(ROLLBACK, { json: { version: version({ version: 6, status: 'live' }) } });
    await user.click(dialog.getByRole('button', { name: 'Roll back in an emergency' }));
    expect(await screen.findByText('Rolled back')).toBeDefined();
    expect(server.calls(ROLLBACK).at(-1)?.body).toEqual({ reason: 'v7 is wrong', emergency: true });
  });
});

test('shows who approved each version, or that it was merged without approval or in an emergency', async () => {
  const [mara, sam] = members();
  const by = { id: mara?.id ?? '', name: mara?.name ?? '', email: mara?.email ?? '' };
  const reviewer = { id: sam?.id ?? '', name: sam?.name ?? '', email: sam?.email ?? '' };
  const emergency = { by, at: '2026-11-18T12:00:00.000Z', reason: 'Payments are stuck', refused: null };
  const approval = {
    reviewer,
    at: '2026-10-01T12:00:00.000Z',
    comment: '',
    selfApproved: false,
    marks: ['added_by_author' as const],
    counted: true,
  };
  server.on('GET /api/workflows/*/versions', {
    json: [
      version({ version: 7, approvals: [], emergency: { ...emergency, ratified: null } }),
      version({ version: 6, approvals: [approval] }),
      version({ version: 5, approvals: [] }),
    ],
  });
  open('/app/docs?key=vendor-onboarding');
  const [seventh, sixth, fifth] = (await (await panelOf()).findAllByRole('listitem')).slice(-3);
  expect(seventh?.textContent).toContain('Emergency, not ratified');
  expect(sixth?.textContent).toMatch(/Approved by Sam Okafor on 1 Oct 2026 \(reviewer added by the author\)/);
  expect(fifth?.textContent).toContain('Merged without approval');
});
