import type { Review, WholeDraft } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { ELLEN, JONAS, PRIYA, aDiff, aDraftInReview, aReview } from '../../features/review/testing/review.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { AT, aReviewer, card, open, startReviewServer } from './review-screen.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
let draft: WholeDraft;
beforeEach(() => {
  draft = aDraftInReview();
  server = startReviewServer(() => draft);
});

const approve = async (user: ReturnType<typeof open>['user']) => {
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve Vendor onboarding?' }));
  await user.click(dialog.getByRole('button', { name: 'Approve' }));
};
const calls = (action: string) => server.calls(`POST ${AT}/*/${action}`);

test('an approval includes the comment and the revision that was read', async () => {
  server.on(`POST ${AT}/*/approve`, () => {
    draft = aDraftInReview({ reviews: [aReview()], blockers: [] }, { merge: true, withdrawApproval: true });
    return { json: draft };
  });
  const { user } = open();
  await user.type(await screen.findByLabelText('Comment'), ' Reads well ');
  await card('Assess risk tier');
  await approve(user);
  expect((await screen.findAllByText('Approved')).length).toBeGreaterThan(0);
  const [call] = calls('approve');
  expect(call?.body).toEqual({ comment: 'Reads well' });
  expect(call?.headers.get('if-match')).toBe('"3"');
  expect(await screen.findByText('Ready to merge')).toBeDefined();
  expect(screen.queryByLabelText('Comment')).toBeNull();
});

test('an approval can be undone; until then, the Approve button is hidden', async () => {
  draft = aDraftInReview({ reviews: [aReview()], blockers: [] }, { merge: true, withdrawApproval: true });
  server.on(`POST ${AT}/*/withdraw-approval`, () => {
    draft = aDraftInReview({ reviews: [aReview({ standing: 'withdrawn', current: false })] });
    return { json: draft };
  });
  const { user } = open();
  await card('Assess risk tier');
  const bar = within(screen.getByRole('region', { name: 'Your review' }));
  expect(bar.getByText('You approved')).toBeDefined();
  expect(bar.getByText(/^18 Nov/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  await user.click(bar.getByRole('button', { name: 'Undo your approval' }));
  expect(await screen.findByText('Approval withdrawn')).toBeDefined();
  expect(calls('withdraw-approval')[0]?.headers.get('if-match')).toBe('"3"');
  expect(await screen.findByRole('button', { name: 'Approve' })).toBeDefined();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('form', { name: 'Your review' })));
  expect(screen.getByRole('article', { name: 'Ellen Park approved' }).textContent).toContain('approved (withdrawn)');
  const side = screen.getByRole('complementary', { name: 'Merge and impact' });
  expect(side.textContent).toContain('Ellen ParkNo review yet');
});

test('shows why an approval couldn’t be undone', async () => {
  draft = aDraftInReview({ reviews: [aReview()] }, { withdrawApproval: true });
  server.on(`POST ${AT}/*/withdraw-approval`, { status: 500, json: {} });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Undo your approval' }));
  const bar = within(screen.getByRole('region', { name: 'Your review' }));
  expect((await bar.findByRole('alert')).textContent).toBe('Failed to withdraw your approval');
});

test('once nothing blocks it, merging is the main button, and Ctrl+Enter asks to confirm it', async () => {
  draft = aDraftInReview({ reviews: [aReview({ reviewer: JONAS })], blockers: [] }, { merge: true });
  const { user } = open();
  await card('Assess risk tier');
  const mainButtons = (): string[] =>
    screen
      .getAllByRole('button')
      .filter((button) => button.className.includes('primary'))
      .map((button) => button.textContent);
  expect(mainButtons()).toEqual(['Merge as v8']);
  await user.keyboard('{Control>}{Enter}{/Control}');
  const dialog = await screen.findByRole('dialog', { name: 'Merge Vendor onboarding as v8?' });
  expect(dialog.textContent).toContain('Changes: 1 step added, 1 removed, 1 modified.');
  expect(dialog.textContent).toMatch(/Approved by .*Jonas Weber/);
  expect(dialog.textContent).toContain('Print the contract is no longer an approval of this workflow');
});

test('requesting changes requires a comment', async () => {
  server.on(`POST ${AT}/*/request-changes`, { json: aDraftInReview() });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Request changes' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Comment required to request changes');
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
])('%s also shows a failure next to its button and keeps the input', async (name, action, sentence) => {
  server.on(`POST ${AT}/*/${action}`, { status: 500, json: {} });
  const { user } = open();
  await card('Assess risk tier');
  await user.type(screen.getByLabelText('Comment'), 'Hm');
  await (name === 'Approve' ? approve(user) : user.click(screen.getByRole('button', { name })));
  const bar = within(screen.getByRole('form', { name: 'Your review' }));
  expect((await bar.findByRole('alert')).textContent).toBe(sentence);
  expect(screen.getAllByText(sentence).length).toBe(2);
  expect(screen.getByLabelText<HTMLInputElement>('Comment').value).toBe('Hm');
});

test('a contributor sees why they can’t decide', async () => {
  draft = aDraftInReview(
    { contributors: [{ ...ELLEN, saves: 1, through: null, tokens: [] }] },
    { approve: false, requestChanges: false, withdraw: true },
  );
  const { user } = open();
  expect(await screen.findByText('You contributed to this draft, so someone else must review it.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
  server.on(`POST ${AT}/*/withdraw`, { json: draft });
  await user.click(await screen.findByRole('button', { name: 'Withdraw from review' }));
  expect(await screen.findByText('Withdrawn from review')).toBeDefined();
});

test('someone who invited an unproved editor sees why the editor’s changes also count as theirs', async () => {
  draft = aDraftInReview(
    {
      contributors: [
        { ...PRIYA, saves: 2, through: null, tokens: [] },
        { ...ELLEN, saves: 0, through: PRIYA, tokens: [] },
      ],
    },
    { approve: false, requestChanges: false },
  );
  open();
  expect(
    await screen.findByText(/^.*Priya Nair.*’s changes also count as yours: either you invited them/),
  ).toBeDefined();
  expect(screen.queryByText(/You contributed to this draft/)).toBeNull();
});

test('shows that changes saved with a token also count as those of its later owners', async () => {
  draft = aDraftInReview({
    contributors: [
      { ...PRIYA, saves: 2, through: null, tokens: ['CI'] },
      { ...JONAS, saves: 0, through: PRIYA, tokens: [] },
    ],
  });
  open();
  await card('Assess risk tier');
  const side = screen.getByRole('complementary', { name: 'Merge and impact' });
  expect(side.textContent).toMatch(/Because they own or once owned a token of .*Priya Nair/);
});

test('asks people before they approve their own draft, if nobody else can review it', async () => {
  draft = aDraftInReview({ contributors: [{ ...ELLEN, saves: 1, through: null, tokens: [] }] });
  server.on(`POST ${AT}/*/approve`, { json: draft });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve Vendor onboarding?' }));
  expect(dialog.getByText(/self-approved: no other reviewer/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('approve')).toHaveLength(1));
});

test('asks before merging, and then shows the draft as live', async () => {
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
  expect(dialog.getByText(/replaces v7 as the live version for new runs\. 3 open runs stay/)).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Merge as v8' }));
  expect(await screen.findByText('v8 is live')).toBeDefined();
  expect(await screen.findByText(/This is v8, the live version/)).toBeDefined();
  expect(calls('merge')[0]?.headers.get('if-match')).toBe('"3"');
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('blocks decisions on a draft that someone else has saved until the current changes are shown', async () => {
  server.on(`POST ${AT}/*/approve`, () => {
    draft = aDraftInReview({ revision: 4 });
    server.on(`GET ${AT}/*/diff`, { json: aDiff({ revision: 4 }) });
    return { status: 409, json: { error: 'Priya Nair saved this draft in the meantime', code: 'stale_revision' } };
  });
  const { user } = open();
  await card('Assess risk tier');
  await approve(user);
  expect(await screen.findByText(/Priya Nair has saved this draft since you opened it/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Show the current draft' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Approve' }).getAttribute('aria-disabled')).toBeNull());
  expect(screen.queryByText(/has saved this draft since/)).toBeNull();
});

test('Ctrl+Enter approves after a confirmation', async () => {
  server.on(`POST ${AT}/*/approve`, { json: draft });
  const { user } = open();
  await card('Assess risk tier');
  await user.keyboard('{Control>}{Enter}{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Approve Vendor onboarding?' }));
  expect(calls('approve')).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(calls('approve')).toHaveLength(1));
});

test('lists people whose approval doesn’t count, with reason and time, and the marks of approvals', async () => {
  const ines = { id: '0199aaaa-0000-7000-8000-00000000000f', name: 'Ines Costa', email: 'ines@haldenworks.example' };
  draft = aDraftInReview({
    reviews: [aReview({ reviewer: JONAS, marks: ['added_by_author', 'address_not_proved'] })],
    notCounted: [{ ...ines, because: 'address_not_proved', from: '2026-11-27T12:00:00.000Z' }],
    contributors: [{ ...PRIYA, saves: 6, through: ines, tokens: [] }],
  });
  open();
  await card('Assess risk tier');
  const side = screen.getByRole('complementary', { name: 'Merge and impact' });
  expect(side.textContent).toContain('Marked: reviewer added by the author, address not proved');
  expect(side.textContent).toMatch(/Ines CostaDoesn’t countAddress not proved\. Counts from 27 Nov/);
  expect(side.textContent).toMatch(/Through .*Ines Costa.*, whose address wasn’t proved/);
  const decision = screen.getByRole('article', { name: 'Jonas Weber approved' });
  expect(decision.textContent).toContain('approved (reviewer added by the author, address not proved)');
});

test('people whose approval doesn’t count can request changes and see why they can’t approve', async () => {
  draft = aDraftInReview(
    { notCounted: [{ ...ELLEN, because: 'added_after_first_save', from: null }] },
    { approve: false, requestChanges: true },
  );
  server.on(`POST ${AT}/*/request-changes`, { json: draft });
  const { user } = open();
  await card('Assess risk tier');
  expect(screen.getByText(/one of its authors made you a reviewer after it was first saved/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Approve' }).title).toBe('Your approval doesn’t count for this draft');
  await user.type(screen.getByLabelText('Comment'), 'Tier 1 starts at 70');
  await user.click(screen.getByRole('button', { name: 'Request changes' }));
  expect(await screen.findByText('Changes requested')).toBeDefined();
  expect(calls('approve')).toHaveLength(0);
});

test('lets people prove their address if they must do so before reviewing', async () => {
  server.on('GET /api/auth/me', {
    json: aReviewer({ provedBy: null, orgPermissions: ['workflow.read'], withheldPermissions: ['draft.review'] }),
  });
  draft = aDraftInReview({}, { approve: false, requestChanges: false });
  open();
  expect(await screen.findByText('You can review and merge here once your address is proved.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Prove your address' })).toBeDefined();
});

test('a request for changes can be set aside with a reason if its author can’t approve', async () => {
  const objection = { reviewer: JONAS, delegate: null, comment: 'Tier 1 starts at 70', at: '2026-11-18T12:00:00.000Z' };
  draft = aDraftInReview({ objections: [{ ...objection, carried: true, abandoned: true }] }, { setAside: true });
  server.on(`POST ${AT}/*/objections/*/set-aside`, () => {
    draft = aDraftInReview();
    return { json: draft };
  });
  const { user } = open();
  await card('Assess risk tier');
  const part = screen.getByRole('region', { name: 'Open requests for changes' });
  expect(part.textContent).toMatch(
    /Tier 1 starts at 70.*from an earlier draft with the same content\. .?Jonas Weber.? can’t approve this draft\./,
  );
  await user.click(within(part).getByRole('button', { name: 'Set aside the request by Jonas Weber' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Set aside the request by/ }));
  await user.click(dialog.getByRole('button', { name: 'Set aside' }));
  expect(await dialog.findByText('Please enter a reason')).toBeDefined();
  await user.type(dialog.getByLabelText('Reason'), 'Jonas has left');
  await user.click(dialog.getByRole('button', { name: 'Set aside' }));
  expect(await screen.findByText('Request set aside')).toBeDefined();
  const [call] = server.calls(`POST ${AT}/*/objections/*/set-aside`);
  expect(call?.path).toContain(`/objections/${JONAS.id}/`);
  expect(call?.body).toEqual({ reason: 'Jonas has left' });
});

test('an owner can merge without a review, in an emergency and with a reason', async () => {
  draft = aDraftInReview({}, { emergency: true });
  server.on(`POST ${AT}/*/merge`, {
    status: 409,
    json: { error: 'Reviews are strict here.', code: 'strict_refuses_emergency' },
  });
  const { user } = open();
  await card('Assess risk tier');
  await user.click(screen.getByRole('button', { name: 'Other ways to merge' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Merge in an emergency…' }));
  const dialog = within(await screen.findByRole('dialog', { name: /in an emergency\?$/ }));
  expect(dialog.getByText(/“emergency, not ratified” until another owner or admin ratifies it/)).toBeDefined();
  await user.type(dialog.getByLabelText('Reason'), 'Payments are stuck');
  await user.click(dialog.getByRole('button', { name: 'Merge as v8' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('Reviews are strict here.');
  server.on(`POST ${AT}/*/merge`, { json: { version: draft } });
  await user.click(dialog.getByRole('button', { name: 'Merge as v8' }));
  expect(await screen.findByText('v8 is live')).toBeDefined();
  expect(calls('merge').at(-1)?.body).toEqual({ emergency: { reason: 'Payments are stuck' } });
  expect(calls('merge').at(-1)?.headers.get('if-match')).toBe('"3"');
});

test('hides the emergency merge from other people and marks an emergency version that isn’t ratified', async () => {
  const emergency = { by: PRIYA, at: '2026-11-18T12:00:00.000Z', reason: 'Payments are stuck', ratified: null };
  draft = aDraftInReview({ emergency: { ...emergency, refused: null } });
  open();
  await card('Assess risk tier');
  expect(screen.queryByRole('button', { name: 'Other ways to merge' })).toBeNull();
  expect(screen.getByText('Emergency, not ratified')).toBeDefined();
  expect(screen.getByText(/made it live without a review: “.*Payments are stuck.*”/)).toBeDefined();
});

describe('a delegate', () => {
  const FOR_JONAS = { onBehalfOf: JONAS, approve: true, because: null, requestChanges: true, withdrawApproval: false };
  const NOTHING = { approve: false, requestChanges: false, comment: false };
  const forJonas = (change: Partial<Review> = {}) => aReview({ reviewer: ELLEN, onBehalfOf: JONAS, ...change });

  test('without permission to review approves for the delegator, and can undo it', async () => {
    draft = aDraftInReview({ delegated: [FOR_JONAS] }, NOTHING);
    server
      .on('GET /api/auth/me', { json: aReviewer({ orgRole: 'viewer', orgPermissions: ['workflow.read'] }) })
      .on(`POST ${AT}/*/approve`, () => {
        const delegated = [{ ...FOR_JONAS, withdrawApproval: true }];
        draft = aDraftInReview({ delegated, reviews: [forJonas()], blockers: [] }, NOTHING);
        return { json: draft };
      })
      .on(`POST ${AT}/*/withdraw-approval`, () => {
        draft = aDraftInReview({ delegated: [FOR_JONAS] }, NOTHING);
        return { json: draft };
      });
    const { user } = open();
    await card('Assess risk tier');
    expect(screen.getByText(/You do the reviews of Jonas Weber/)).toBeDefined();
    expect(screen.queryByRole('group', { name: 'Review for' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Approve for Jonas Weber' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve Vendor onboarding for Jonas Weber?' }));
    await user.click(dialog.getByRole('button', { name: 'Approve for Jonas Weber' }));
    const bar = within(await screen.findByRole('region', { name: 'Your review' }));
    expect(bar.getByText('You approved for Jonas Weber')).toBeDefined();
    expect(calls('approve')[0]?.body).toEqual({ onBehalfOf: JONAS.id });
    expect(screen.getByRole('article', { name: 'Ellen Park approved for Jonas Weber' })).toBeDefined();
    const side = screen.getByRole('complementary', { name: 'Merge and impact' });
    expect(side.textContent).toContain('Ellen Park for Jonas WeberApproved');
    await user.click(bar.getByRole('button', { name: 'Undo your approval' }));
    expect(await screen.findByRole('button', { name: 'Approve for Jonas Weber' })).toBeDefined();
    expect(calls('withdraw-approval')[0]?.body).toEqual({ onBehalfOf: JONAS.id });
  });

  test('with permission to review chooses for whom, and requests changes for the delegator', async () => {
    const because = { code: 'reviewer_not_counted_yet', sentence: 'Prove your address first.' };
    draft = aDraftInReview({ delegated: [FOR_JONAS, { ...FOR_JONAS, onBehalfOf: PRIYA, approve: false, because }] });
    server.on(`POST ${AT}/*/request-changes`, () => {
      draft = aDraftInReview({
        objections: [
          { reviewer: JONAS, delegate: ELLEN, comment: 'No', at: aReview().at, carried: false, abandoned: false },
        ],
      });
      return { json: draft };
    });
    const { user } = open();
    await card('Assess risk tier');
    expect(screen.getByRole('button', { name: 'Approve' })).toBeDefined();
    const choice = within(screen.getByRole('group', { name: 'Review for' }));
    await user.click(choice.getByRole('button', { name: 'Priya Nair' }));
    expect(screen.getByRole('button', { name: 'Approve for Priya Nair' }).getAttribute('aria-disabled')).toBe('true');
    // The reason is also shown as text, because touch screens never show a button's title.
    expect(screen.getByText('Prove your address first.')).toBeDefined();
    await user.click(choice.getByRole('button', { name: 'Jonas Weber' }));
    await user.type(screen.getByLabelText('Comment'), 'No');
    await user.click(screen.getByRole('button', { name: 'Request changes for Jonas Weber' }));
    expect(await screen.findByText('Requested by Ellen Park for them')).toBeDefined();
    expect(calls('request-changes')[0]?.body).toEqual({ comment: 'No', onBehalfOf: JONAS.id });
  });

  test('who approved for the reader is named, and the reader can undo the approval', async () => {
    const approval = aReview({ reviewer: JONAS, onBehalfOf: ELLEN });
    draft = aDraftInReview({ reviews: [approval], blockers: [] }, { withdrawApproval: true });
    server.on(`POST ${AT}/*/withdraw-approval`, () => {
      draft = aDraftInReview({ reviews: [{ ...approval, standing: 'withdrawn', current: false }] });
      return { json: draft };
    });
    const { user } = open();
    await card('Assess risk tier');
    const bar = within(screen.getByRole('region', { name: 'Your review' }));
    expect(bar.getByText('Jonas Weber approved for you')).toBeDefined();
    await user.click(bar.getByRole('button', { name: 'Undo your approval' }));
    expect(await screen.findByText('Approval withdrawn')).toBeDefined();
    expect(calls('withdraw-approval').map(({ body }) => body)).toEqual([{}]);
    expect(await screen.findByRole('button', { name: 'Approve' })).toBeDefined();
  });
});
