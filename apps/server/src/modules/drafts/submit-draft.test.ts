import type { WholeDraft } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDraftBench } from '../../testing/drafts.ts';
import type { Person } from '../../testing/server.ts';

type Bench = Awaited<ReturnType<typeof startDraftBench>>;

let bench: Bench;
beforeAll(async () => {
  bench = await startDraftBench();
});
afterAll(() => bench.server.stop());

const INCOMPLETE = {
  metadata: { title: 'Refund' },
  steps: [
    { id: 'a', title: 'Is it more than 500?', type: 'condition', config: {}, next: ['b'] },
    { id: 'b', title: 'Write to the customer', type: 'notification', config: { template: '{{customer}}' }, next: [] },
  ],
};

/** Returns those of these people who have a notification about the draft. */
async function notified(draftId: string, people: readonly Person[]): Promise<Person[]> {
  const lists = await Promise.all(people.map((person) => person.call('GET', '/api/notifications')));
  return people.filter((_person, n) => JSON.stringify(lists[n]?.body).includes(draftId));
}

describe('submitting', () => {
  it('refuses content that would fail in every run and names the steps, although it can be saved', async () => {
    bench.newKey();
    const { draftId } = await bench.create(bench.editor, INCOMPLETE);
    const refusal = { status: 409, body: { code: 'content_incomplete' } };
    const answer = await bench.act(bench.editor, draftId, 'submit');
    expect(answer).toMatchObject(refusal);
    expect((answer.body as unknown as { details: { stepId: string; problem: string }[] }).details).toEqual([
      { stepId: 'a', problem: 'Step "Is it more than 500?": It has no condition, so every run stops here.' },
      {
        stepId: 'a',
        problem: 'Step "Is it more than 500?": No answer has its own next step, so the condition decides nothing.',
      },
      { stepId: 'b', problem: 'Step "Write to the customer": It has no recipients, so nobody gets the message.' },
      {
        stepId: 'b',
        problem: 'Step "Write to the customer": Its message contains {{customer}}, which nothing can fill.',
      },
    ]);
    // An approval of an unsubmitted draft would submit it too.
    expect(await bench.act(bench.reviewer, draftId, 'approve')).toMatchObject(refusal);
    expect((await bench.read(draftId)).status).toBe('draft');
    expect(await bench.eventsOf(draftId)).not.toContain('draft.submitted');
  });

  it('stores the reason, or that there is no summary', async () => {
    bench.newKey();
    const { draftId } = await bench.create();
    expect(
      (await bench.act(bench.editor, draftId, 'submit', { summary: ' Finance asked for it. ' })).body,
    ).toMatchObject({
      status: 'in_review',
      summary: 'Finance asked for it.',
    });
    await bench.act(bench.editor, draftId, 'withdraw');
    expect((await bench.read(draftId)).summary).toBe('Finance asked for it.');
    expect((await bench.act(bench.editor, draftId, 'submit')).body.summary).toBeNull();
  });

  it('asks only the chosen reviewers if they suffice, and otherwise everyone who can review', async () => {
    bench.newKey();
    const first = await bench.create();
    await bench.act(bench.editor, first.draftId, 'submit', { reviewers: [bench.reviewer.user.id] });
    expect((await bench.read(first.draftId)).askedReviewers.map(({ id }) => id)).toEqual([bench.reviewer.user.id]);
    bench.newKey();
    const second = await bench.create();
    await bench.act(bench.editor, second.draftId, 'submit');
    const reviewers = [bench.owner, bench.reviewer];
    expect(await notified(second.draftId, reviewers)).toEqual(reviewers);
    expect(await notified(first.draftId, reviewers)).toEqual([bench.reviewer]);
  });

  it('refuses reviewers whose review wouldn’t count, such as the author or a stranger', async () => {
    bench.newKey();
    const { draftId } = await bench.create();
    const stranger = await bench.server.signUp();
    for (const id of [bench.editor.user.id, stranger.user.id]) {
      expect(await bench.act(bench.editor, draftId, 'submit', { reviewers: [id] })).toMatchObject({
        status: 400,
        body: { code: 'invalid', details: [{ field: 'reviewers' }] },
      });
    }
    expect((await bench.editor.get<WholeDraft>(bench.at(draftId))).status).toBe('draft');
  });
});
