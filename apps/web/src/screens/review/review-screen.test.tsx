import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { WholeDraft } from '@stet/contract';
import {
  DRAFT_ID,
  ELLEN,
  PRIYA,
  STEPS,
  aComment,
  aDiff,
  aDraftInReview,
  aReview,
  anImpact,
} from '../../features/review/testing/review.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const AT = '/api/workflows/vendor-onboarding/drafts';
const REVIEWER = aUser({
  ...ELLEN,
  orgRole: 'reviewer',
  orgPermissions: ['workflow.read', 'draft.comment', 'draft.review', 'draft.merge'],
});
let server: FakeServer;
let draft: WholeDraft;

beforeEach(() => {
  draft = aDraftInReview();
  server = startFakeServer()
    .on('GET /api/auth/me', { json: REVIEWER })
    .on(`GET ${AT}/*`, () => ({ json: draft }))
    .on(`GET ${AT}/*/diff`, { json: aDiff() })
    .on(`GET ${AT}/*/impact`, { json: anImpact() });
});

const open = () => renderApp(`/app/review?key=vendor-onboarding&id=${DRAFT_ID}`, { token: aToken() });
const card = async (name: string) => within(await screen.findByRole('article', { name }));
const calls = (action: string) => server.calls(`POST ${AT}/*/${action}`);

test('a review shows what changes, field by field, and what it means', async () => {
  open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Vendor onboarding' })).toBeDefined();
  expect(screen.getByText(/^Workflow:/).textContent).toBe(`Workflow: vendor-onboarding • Draft: ${DRAFT_ID}`);
  const assess = await card('Assess risk tier');
  expect(assess.getByText('modified')).toBeDefined();
  const [, sla] = assess.getAllByRole('row');
  expect(sla?.textContent).toBe('SLA1 day1 day 4 hours');
  expect(sla?.querySelector('ins')?.textContent).toBe('4 hours');
  expect((await card('Print the contract')).getByText('removed')).toBeDefined();
  expect((await card('Confirm the agreement')).getByText('added')).toBeDefined();
  expect(
    within(screen.getByRole('list', { name: 'Changes' }))
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['1 added', '1 removed', '1 modified', '2 unchanged']);
  expect(server.calls(`GET ${AT}/*/diff`)[0]?.query.get('against')).toBe('live');
  const margin = within(screen.getByRole('complementary', { name: 'Merge and impact' }));
  expect(margin.getByText('Needs 1 approval, has 0 that count')).toBeDefined();
  expect(margin.getByText('Slack added: Confirm the agreement')).toBeDefined();
  expect(margin.getByText('3 stay on v7')).toBeDefined();
  expect(margin.getByText('6 saves')).toBeDefined();
  expect(margin.getByRole('button', { name: 'Merge as v8' }).getAttribute('aria-disabled')).toBe('true');
});

test('a draft whose base is no longer live is shown by what it changes itself, and says so', async () => {
  draft = aDraftInReview({ baseVersion: 7, liveVersion: 8, nextVersion: 9 });
  server.on(`GET ${AT}/*/diff`, { json: aDiff({ against: { what: 'base', version: 7, at: null } }) });
  const { user } = open();
  await card('Assess risk tier');
  expect(server.calls(`GET ${AT}/*/diff`)[0]?.query.get('against')).toBe('base');
  expect(screen.getByText(/^asks to replace/).textContent).toContain('asks to replace v8 with a change of v7');
  expect(screen.getByText(/v8 went live after this draft began from v7/)).toBeDefined();
  expect(screen.getByText('Against v7, which the draft began from')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Against v8, live now' }));
  await waitFor(() => expect(server.calls(`GET ${AT}/*/diff`).at(-1)?.query.get('against')).toBe('live'));
});

test('what people wrote to be read begins on its own side', async () => {
  const title = 'تسجيل الطلب';
  draft = aDraftInReview({ metadata: { title: 'عقد', description: '' }, comments: [aComment({ body: 'لماذا؟' })] });
  const change = { title: { before: 'طلب', after: title } };
  server.on(`GET ${AT}/*/diff`, {
    json: aDiff({ detailed: [{ id: 'assess', type: 'modified', title, changes: change }] }),
  });
  open();
  await screen.findByRole('article', { name: 'Assess risk tier' });
  for (const cell of screen.getAllByRole('cell')) expect(cell.dir).toBe('auto');
  expect(screen.getByText('لماذا؟').dir).toBe('auto');
});

test('an approval is of the revision that was read, with its comment', async () => {
  server.on(`POST ${AT}/*/approve`, () => {
    draft = aDraftInReview({ reviews: [aReview()], blockers: [] }, { merge: true });
    return { json: draft };
  });
  const { user } = open();
  await user.type(await screen.findByLabelText('Comment'), ' Reads well ');
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  expect((await screen.findAllByText('Approved')).length).toBeGreaterThan(0);
  const [call] = calls('approve');
  expect(call?.body).toEqual({ comment: 'Reads well' });
  expect(call?.headers.get('if-match')).toBe('"3"');
  expect(screen.getByLabelText<HTMLInputElement>('Comment').value).toBe('');
  expect(await screen.findByText('Nothing blocks the merge')).toBeDefined();
});

test('a request for changes needs a comment', async () => {
  server.on(`POST ${AT}/*/request-changes`, { json: aDraftInReview() });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Request changes' }));
  expect(screen.getByRole('alert').textContent).toBe('Comment required to request changes');
  expect(document.activeElement).toBe(screen.getByLabelText('Comment'));
  expect(calls('request-changes')).toHaveLength(0);
  await user.type(screen.getByLabelText('Comment'), 'Shorter');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Request changes' }));
  expect(await screen.findByText('Changes requested')).toBeDefined();
  expect(calls('request-changes')[0]?.body).toEqual({ comment: 'Shorter' });
});

test.each([
  ['Approve', 'approve', 'Failed to approve'],
  ['Request changes', 'request-changes', 'Failed to request changes'],
])('%s that fails is told beside the button as well, and what was typed stays', async (name, action, sentence) => {
  server.on(`POST ${AT}/*/${action}`, { status: 500, json: {} });
  const { user } = open();
  await card('Assess risk tier');
  await user.type(screen.getByLabelText('Comment'), 'Hm');
  await user.click(screen.getByRole('button', { name }));
  const bar = within(screen.getByRole('form', { name: 'Your review' }));
  expect((await bar.findByRole('alert')).textContent).toBe(sentence);
  expect(screen.getAllByText(sentence).length).toBe(2);
  expect(screen.getByLabelText<HTMLInputElement>('Comment').value).toBe('Hm');
});

test('who contributed is told why there is nothing to decide', async () => {
  draft = aDraftInReview(
    { contributors: [{ ...ELLEN, saves: 1 }] },
    { approve: false, requestChanges: false, withdraw: true },
  );
  const { user } = open();
  expect(await screen.findByText('You contributed to this draft, so someone else has to review it.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  server.on(`POST ${AT}/*/withdraw`, { json: draft });
  await user.click(screen.getByRole('button', { name: 'Withdraw from review' }));
  expect(await screen.findByText('Taken back from review')).toBeDefined();
});

test('who approves their own draft, for nobody else can, is asked first', async () => {
  draft = aDraftInReview({ contributors: [{ ...ELLEN, saves: 1 }] });
  server.on(`POST ${AT}/*/approve`, { json: draft });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve Vendor onboarding?' }));
  expect(dialog.getByText(/self-approved: no other reviewer/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('approve')).toHaveLength(1));
});

test('a merge is asked about, and then it is live', async () => {
  draft = aDraftInReview({ blockers: [] }, { merge: true });
  server.on(`POST ${AT}/*/merge`, () => {
    draft = aDraftInReview(
      { status: 'live', version: 8, merged: { by: ELLEN, at: '2026-11-18T14:00:00.000Z' }, blockers: [] },
      { approve: false, requestChanges: false, comment: false },
    );
    return { json: { version: draft } };
  });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Merge as v8' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge Vendor onboarding as v8?' }));
  expect(dialog.getByText(/in the place of v7\. 3 open runs stay/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Merge as v8' }));
  expect(await screen.findByText('v8 is live')).toBeDefined();
  expect(await screen.findByText(/This is v8, the live version/)).toBeDefined();
  expect(calls('merge')[0]?.headers.get('if-match')).toBe('"3"');
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('a draft that is saved meanwhile can’t be decided on before one has seen what changed', async () => {
  server.on(`POST ${AT}/*/approve`, () => {
    draft = aDraftInReview({ revision: 4 });
    server.on(`GET ${AT}/*/diff`, { json: aDiff({ revision: 4 }) });
    return { status: 409, json: { error: 'Priya Nair saved this draft in the meantime', code: 'stale_revision' } };
  });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  expect(await screen.findByText(/Priya Nair has saved this draft since you opened it/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Show what stands now' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBeNull());
  expect(screen.queryByText(/has saved this draft since/)).toBeNull();
});

test('a comment on a step is written, answered, resolved and reopened', async () => {
  server
    .on(`POST ${AT}/*/comments`, ({ body }) => {
      const made = aComment({ id: '0199cccc-0000-7000-8000-000000000002', author: ELLEN, ...(body as object) });
      draft = { ...draft, comments: [...draft.comments, made] };
      return { status: 201, json: made };
    })
    .on(`POST ${AT}/*/comments/*/resolve`, () => {
      draft = {
        ...draft,
        comments: draft.comments.map((comment) => ({
          ...comment,
          resolvedAt: '2026-11-18T12:00:00.000Z',
          resolvedBy: PRIYA,
        })),
      };
      return { json: draft.comments[0] };
    });
  const { user } = open();
  const assess = await card('Assess risk tier');
  await user.click(assess.getByRole('button', { name: 'Reply' }));
  expect(document.activeElement).toBe(assess.getByLabelText('Comment on Assess risk tier', { selector: 'textarea' }));
  await user.click(assess.getByRole('button', { name: 'Comment' }));
  expect(assess.getByText('Please write something first')).toBeDefined();
  await user.type(assess.getByLabelText('Comment on Assess risk tier', { selector: 'textarea' }), 'The EU list');
  await user.click(assess.getByRole('button', { name: 'Comment' }));
  expect(await assess.findByText('The EU list')).toBeDefined();
  expect(calls('comments')[0]?.body).toEqual({ body: 'The EU list', stepId: 'assess' });

  await user.click(assess.getByRole('button', { name: 'Resolve the comment by Jonas Weber' }));
  await user.click(await assess.findByRole('button', { name: '2 resolved comments' }));
  expect(assess.getAllByText(/^Resolved by Priya Nair/)).toHaveLength(2);
  expect(assess.getByRole('button', { name: 'Reopen the comment by Jonas Weber' })).toBeDefined();
});

test('what was said of the draft is told with what has become of it', async () => {
  draft = aDraftInReview({
    reviews: [aReview({ comment: 'Reads well', standing: 'dismissed' })],
    comments: [aComment({ stepId: null, body: 'In general?' })],
  });
  open();
  const discussion = within(await screen.findByRole('region', { name: 'Discussion' }));
  expect(discussion.getByText(/approved \(dismissed: the content has changed since\)/)).toBeDefined();
  expect(discussion.getByText('Reads well')).toBeDefined();
  expect(discussion.getByText('In general?')).toBeDefined();
  const margin = within(screen.getByRole('complementary', { name: 'Merge and impact' }));
  expect(margin.getByText('Dismissed')).toBeDefined();
});

test('one sees what has changed since one’s own approval', async () => {
  const at = '2026-11-18T12:00:00.000Z';
  draft = aDraftInReview({ own: { approvedAt: at, reviewedAt: at } });
  const { user } = open();
  await card('Print the contract');
  server.on(`GET ${AT}/*/diff`, ({ query }) => ({
    json: aDiff(
      query.get('against') === 'approved'
        ? { summary: { added: [], removed: [], modified: [] }, total: 0, detailed: [] }
        : {},
    ),
  }));
  await user.click(screen.getByRole('button', { name: 'Since your approval' }));
  expect(await screen.findByText('Nothing has changed since.')).toBeDefined();
  expect(screen.queryByRole('article', { name: 'Print the contract' })).toBeNull();
});

test('J and K lead from change to change, C writes, and the letters can be switched off', async () => {
  const { user } = open();
  await card('Assess risk tier');
  const focused = () => document.activeElement?.getAttribute('data-step');
  await user.keyboard('j');
  expect(focused()).toBe('assess');
  await user.keyboard('jj');
  expect(focused()).toBe('new');
  await user.keyboard('jk');
  expect(focused()).toBe('print');
  await user.keyboard('c');
  expect(document.activeElement).toBe(screen.getByLabelText('Comment on Print the contract', { selector: 'textarea' }));
  await user.keyboard('jc{Escape}');
  expect(screen.queryByLabelText('Comment on Print the contract', { selector: 'textarea' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Turn the keys J, K and C off' }));
  const before = document.activeElement;
  await user.keyboard('j');
  expect(document.activeElement).toBe(before);
});

test('Ctrl+Enter approves after a question', async () => {
  server.on(`POST ${AT}/*/approve`, { json: draft });
  const { user } = open();
  await card('Assess risk tier');
  await user.keyboard('{Control>}{Enter}{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve Vendor onboarding?' }));
  expect(calls('approve')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('approve')).toHaveLength(1));
});

test('past 200 changes the rest is counted, and shown when asked for', async () => {
  const all = aDiff();
  server.on(`GET ${AT}/*/diff`, ({ query }) => ({
    json: query.get('limit') === '200' ? { ...all, detailed: all.detailed.slice(0, 1) } : all,
  }));
  const { user } = open();
  expect(await screen.findByText('2 more changes are not shown.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Show all 3' }));
  await card('Confirm the agreement');
  expect(screen.queryByText(/not shown/)).toBeNull();
});

test('a step that did not change can be unfolded and spoken of', async () => {
  const { user } = open();
  await card('Assess risk tier');
  const fold = screen.getByRole('button', { name: /^1 unchanged step.*Register the request$/ });
  await user.click(fold);
  await user.click(screen.getByRole('button', { name: 'Comment on Register the request' }));
  expect(screen.getByLabelText('Comment on Register the request', { selector: 'textarea' })).toBeDefined();
});

describe('without something to show', () => {
  test('a draft like the live version says so', async () => {
    const summary = { added: [], removed: [], modified: [] };
    server.on(`GET ${AT}/*/diff`, { json: aDiff({ summary, total: 0, detailed: [] }) });
    draft = aDraftInReview({ comments: [], steps: STEPS.slice(0, 3) });
    open();
    expect(await screen.findByText('No Changes - The workflow is identical to the original version.')).toBeDefined();
  });

  test.each([
    ['no draft of that id', `/app/review?key=vendor-onboarding&id=${DRAFT_ID}`],
    ['no id', '/app/review?key=vendor-onboarding'],
    ['nothing at all', '/app/review'],
  ])('%s is "Draft not found"', async (_, address) => {
    server.on(`GET ${AT}/*`, { status: 404, json: { error: 'Draft not found', code: 'not_found' } });
    renderApp(address, { token: aToken() });
    expect(await screen.findByRole('heading', { level: 1, name: 'Draft not found' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Back to the workflows' })).toBeDefined();
  });

  test('a version’s number leads to the draft that it was', async () => {
    server.on('GET /api/workflows/vendor-onboarding/versions/7', { json: { ...draft, id: DRAFT_ID } });
    const { router } = renderApp('/app/review?key=vendor-onboarding&id=7', { token: aToken() });
    await card('Assess risk tier');
    expect(router.state.location.search).toBe(`?key=vendor-onboarding&id=${DRAFT_ID}`);
  });

  test('a diff or an impact that fails is told in its place, and tried again', async () => {
    server
      .on(`GET ${AT}/*/diff`, { status: 400, json: {} })
      .on(`GET ${AT}/*/impact`, { status: 400, json: { error: 'Not now', code: 'internal' } });
    const { user } = open();
    expect(await screen.findByText('Failed to get diff')).toBeDefined();
    expect(await screen.findByText('Not now')).toBeDefined();
    server.on(`GET ${AT}/*/diff`, { json: aDiff() }).on(`GET ${AT}/*/impact`, { json: anImpact() });
    for (const button of screen.getAllByRole('button', { name: 'Try again' })) await user.click(button);
    await card('Assess risk tier');
    expect(await screen.findByText('3 stay on v7')).toBeDefined();
  });
});

test('who may only read sees the review and no button to act', async () => {
  server.on('GET /api/auth/me', { json: aUser({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) });
  draft = aDraftInReview({}, { approve: false, requestChanges: false, comment: false });
  open();
  await card('Assess risk tier');
  for (const name of ['Approve', 'Request changes', 'Merge as v8', 'Comment', 'Reply', /^Resolve/])
    expect(screen.queryByRole('button', { name })).toBeNull();
});
