import type { WholeDraft } from '@stet/contract';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { ELLEN, PRIYA, aComment, aDraftInReview, aReview } from '../../features/review/testing/review.ts';
import type { FakeServer } from '../../testing/fake-server.ts';
import { cleanUpAfterEach } from '../../testing/render-app.tsx';
import { AT, card, open, startReviewServer } from './review-screen.fixture.ts';

cleanUpAfterEach();

let server: FakeServer;
let draft: WholeDraft;
beforeEach(() => {
  draft = aDraftInReview();
  server = startReviewServer(() => draft);
});

test('lets people answer, resolve and reopen a comment on a step', async () => {
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
    })
    .on(`POST ${AT}/*/comments/*/reopen`, () => {
      const [first, ...others] = draft.comments;
      const reopened = aComment({ ...first, resolvedAt: null, resolvedBy: null });
      draft = { ...draft, comments: [reopened, ...others] };
      return { json: reopened };
    });
  const { user } = open();
  const assess = await card('Assess risk tier');
  await user.click(assess.getByRole('button', { name: 'Reply' }));
  expect(document.activeElement).toBe(assess.getByLabelText('Comment on Assess risk tier', { selector: 'textarea' }));
  await user.click(assess.getByRole('button', { name: 'Comment' }));
  expect(await assess.findByText('Please write something first')).toBeDefined();
  await user.type(assess.getByLabelText('Comment on Assess risk tier', { selector: 'textarea' }), 'The EU list');
  await user.click(assess.getByRole('button', { name: 'Comment' }));
  expect(await assess.findByText('The EU list')).toBeDefined();
  expect(server.calls(`POST ${AT}/*/comments`)[0]?.body).toEqual({ body: 'The EU list', stepId: 'assess' });

  await user.click(assess.getByRole('button', { name: 'Resolve the comment by Jonas Weber' }));
  await user.click(await assess.findByRole('button', { name: '2 resolved comments' }));
  expect(assess.getAllByText(/^Resolved by Priya Nair/)).toHaveLength(2);
  await user.click(assess.getByRole('button', { name: 'Reopen the comment by Jonas Weber' }));
  expect(await assess.findByRole('button', { name: 'Resolve the comment by Jonas Weber' })).toBeDefined();
  expect(assess.getAllByText(/^Resolved by Priya Nair/)).toHaveLength(1);
  expect(server.calls(`POST ${AT}/*/comments/*/reopen`)[0]?.path).toContain(`/comments/${aComment().id}/`);
});

test('shows comments and decisions on the draft with their current state', async () => {
  draft = aDraftInReview({
    reviews: [aReview({ comment: 'Reads well', standing: 'dismissed' })],
    comments: [aComment({ stepId: null, body: 'In general?' })],
  });
  open();
  const discussion = within(await screen.findByRole('region', { name: 'Discussion' }));
  expect(discussion.getByText(/approved \(dismissed: the content has changed\)/)).toBeDefined();
  expect(discussion.getByText('Reads well')).toBeDefined();
  expect(discussion.getByText('In general?')).toBeDefined();
  const margin = within(screen.getByRole('complementary', { name: 'Merge and impact' }));
  expect(margin.getByText('Dismissed')).toBeDefined();
});
