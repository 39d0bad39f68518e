import type { Member, WholeDraft } from '@stet/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import {
  DRAFT_ID,
  ELLEN,
  JONAS,
  PRIYA,
  aComment,
  aDiff,
  aDraftInReview,
  anImpact,
} from '../../features/review/testing/review.ts';
import { startFakeServer } from '../../testing/fake-server.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { aToken, aUser } from '../../testing/records.ts';
import { cleanUpAfterEach, renderApp } from '../../testing/render-app.tsx';

cleanUpAfterEach();

const AT = '/api/workflows/vendor-onboarding/drafts';
const PROVED = { provedBy: 'mailbox', addedBy: null, confirmedBy: null } as const;
const MEMBERS: Member[] = [
  { ...ELLEN, ...PROVED, role: 'reviewer' },
  { ...JONAS, ...PROVED, role: 'editor' },
  { ...PRIYA, ...PROVED, role: 'editor' },
];
let server: FakeServer;
let draft: WholeDraft;

beforeEach(() => {
  draft = aDraftInReview();
  server = startFakeServer()
    .on('GET /api/auth/me', {
      json: aUser({ ...ELLEN, orgPermissions: ['workflow.read', 'draft.comment', 'draft.review'] }),
    })
    .on(`GET ${AT}/*`, () => ({ json: draft }))
    .on(`GET ${AT}/*/diff`, { json: aDiff() })
    .on(`GET ${AT}/*/impact`, { json: anImpact() })
    .on('GET /api/organizations/*/users', { json: MEMBERS })
    .on(`POST ${AT}/*/comments`, { status: 201, json: aComment() });
});

async function writing() {
  const { user } = renderApp(`/app/review?key=vendor-onboarding&id=${DRAFT_ID}`, { token: aToken() });
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comment on the draft' });
  await user.click(field);
  return { user, field };
}
const offered = () => screen.findByRole('listbox', { name: 'Members to mention' });

test('suggests the other members after @ and inserts one with keys', async () => {
  const { user, field } = await writing();
  await user.keyboard('Ask @');
  const list = within(await offered());
  expect(list.getAllByRole('option').map((option) => option.textContent)).toEqual([
    expect.stringContaining('Jonas Weber'),
    expect.stringContaining('Priya Nair'),
  ]);
  expect(field.getAttribute('aria-activedescendant')).toBe(list.getAllByRole('option')[0]?.id);
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}{ArrowDown}');
  expect(list.getByRole('option', { selected: true }).textContent).toContain('Jonas Weber');
  await user.keyboard('{Enter}');
  expect(field.value).toBe('Ask @Jonas Weber ');
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('and @na{Tab}now');
  expect(field.value).toBe('Ask @Jonas Weber and @Priya Nair now');
  await user.click(within(screen.getByRole('region', { name: 'Discussion' })).getByRole('button', { name: 'Comment' }));
  await waitFor(() =>
    expect(server.calls(`POST ${AT}/*/comments`)[0]?.body).toEqual({ body: 'Ask @Jonas Weber and @Priya Nair now' }),
  );
});

test('Escape keeps the text, a click inserts a member, and text without a match suggests nobody', async () => {
  const { user, field } = await writing();
  await user.keyboard('@jo');
  await offered();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(field.value).toBe('@jo');
  await user.keyboard(' or @jon');
  await user.click(within(await offered()).getByRole('option'));
  expect(field.value).toBe('@jo or @Jonas Weber ');
  await user.keyboard('@nobody');
  expect(screen.queryByRole('listbox')).toBeNull();
});

test('highlights mentions in a comment, and marks those of the reader separately', async () => {
  const body = '@Ellen Park and @Jonas Weber, please';
  draft = aDraftInReview({
    comments: [
      aComment({
        stepId: null,
        body,
        mentions: [
          { userId: ELLEN.id, from: 0, to: 11 },
          { userId: JONAS.id, from: 16, to: 28 },
        ],
      }),
    ],
  });
  renderApp(`/app/review?key=vendor-onboarding&id=${DRAFT_ID}`, { token: aToken() });
  const posted = await screen.findByRole('article', { name: 'Comment by Jonas Weber' });
  expect(posted.textContent).toContain(body);
  expect(within(posted).getByText('@Ellen Park').dataset['mention']).toBe('me');
  expect(within(posted).getByText('@Jonas Weber').dataset['mention']).toBe('other');
});

test('closing a comment form returns the focus to its button', async () => {
  const { user } = await writing();
  const comment = screen.getByRole('button', { name: 'Comment on Assess risk tier' });
  await user.click(comment);
  await user.keyboard('The EU list{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(comment));
});
