import type { WholeDraft } from '@stet/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDraftBench } from '../../testing/drafts.ts';
import { joinOrganization } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
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

/** Returns the people who have a notification about the draft. */
async function notified(draftId: string, people: readonly Person[]): Promise<Person[]> {
  const lists = await Promise.all(people.map((person) => person.call('GET', '/api/notifications')));
  return people.filter((_person, n) => JSON.stringify(lists[n]?.body).includes(draftId));
}

describe('submitting', () => {
  it('refuses content that would make every run fail, and names the steps, although the content can be saved', async () => {
    bench.newKey();
    const { draftId } = await bench.create(bench.editor, INCOMPLETE);
    const refusal = { status: 409, body: { code: 'content_incomplete' } };
    const answer = await bench.act(bench.editor, draftId, 'submit');
    expect(answer).toMatchObject(refusal);
    expect((answer.body as unknown as { details: { stepId: string; problem: string }[] }).details).toEqual([
      { stepId: 'a', problem: 'Step "Is it more than 500?": The condition is missing, so every run stops here.' },
      {
        stepId: 'a',
        problem:
          'Step "Is it more than 500?": Neither Yes nor No has its own next step, so the condition has no effect.',
      },
      { stepId: 'b', problem: 'Step "Write to the customer": The recipients are missing, so nobody gets the message.' },
      {
        stepId: 'b',
        problem: 'Step "Write to the customer": Its message contains {{customer}}, but no value has this name.',
      },
    ]);
    // An approval would submit the draft too, so it is also refused.
    expect(await bench.act(bench.reviewer, draftId, 'approve')).toMatchObject(refusal);
    expect((await bench.read(draftId)).status).toBe('draft');
    expect(await bench.eventsOf(draftId)).not.toContain('draft.submitted');
  });

  it('returns the stored response if it is repeated with its key, without unhandled rejections', async () => {
    bench.newKey();
    const { draftId } = await bench.create();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const submit = () => bench.act(bench.editor, draftId, 'submit', {}, { 'idempotency-key': 'submit-once' });
      const first = await submit();
      expect(first.status).toBe(200);
      for (let n = 0; n < 3; n += 1) expect(await submit()).toMatchObject({ status: 200, body: first.body });
      const approve = () => bench.act(bench.reviewer, draftId, 'approve', {}, { 'idempotency-key': 'approve-once' });
      expect((await approve()).body).toEqual((await approve()).body);
      // Node.js reports unhandled rejections after its microtasks.
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
    expect((await bench.eventsOf(draftId)).filter((action) => action === 'draft.submitted')).toHaveLength(1);
  });

  it('stores the summary, and removes it if the next submission has none', async () => {
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

  it('also notifies the others if the author asks only someone they added, whose approval would be marked', async () => {
    const { found, add, draft } = secondPersonBench(bench.server);
    const author = await found(true);
    const added = await add(author, 'reviewer', { mailed: true });
    const other = await bench.server.signUp({ name: 'The other reviewer' });
    await joinOrganization(bench.server, other, author.user.currentOrgId ?? '', 'reviewer');
    const dependent = await draft(author);
    await dependent.act(author, 'submit', { reviewers: [added.user.id] });
    expect(await notified(dependent.draftId, [added, other])).toEqual([added, other]);
    const independent = await draft(author);
    await independent.act(author, 'submit', { reviewers: [other.user.id] });
    expect(await notified(independent.draftId, [added, other])).toEqual([other]);
  });

  it('refuses reviewers who can’t review the draft, such as the author or a stranger', async () => {
    bench.newKey();
    const { draftId } = await bench.create();
    const stranger = await bench.server.signUp();
    for (const id of [bench.editor.user.id, stranger.user.id]) {
      expect(await bench.act(bench.editor, draftId, 'submit', { reviewers: [id] })).toMatchObject({
        status: 400,
        body: {
          code: 'invalid',
          error: 'One of the chosen people can’t review this draft',
          details: [{ field: 'reviewers' }],
        },
      });
    }
    expect((await bench.editor.get<WholeDraft>(bench.at(draftId))).status).toBe('draft');
  });

  describe('a draft that removes a control', () => {
    const payments = (separateFrom: boolean) => ({
      metadata: { title: 'Payments', description: '' },
      steps: [
        { id: 'pay', title: 'Pay', type: 'manual', next: ['check'] },
        { id: 'check', title: 'Check', type: 'approval', config: { separateFrom }, next: [] },
      ],
    });
    /** A draft without the separation of duties that the live version has. */
    const removing = async (): Promise<string> => {
      bench.newKey();
      const { draftId } = await bench.create(bench.editor, payments(true));
      await bench.act(bench.editor, draftId, 'submit');
      for (const action of ['approve', 'merge']) await bench.act(bench.owner, draftId, action);
      return (await bench.create(bench.editor, payments(false))).draftId;
    };
    const reviewers = () => [bench.owner, bench.reviewer];

    it('notifies every reviewer, even if the author asked only one', async () => {
      const draftId = await removing();
      const asked = await bench.act(bench.editor, draftId, 'submit', { reviewers: [bench.reviewer.user.id] });
      expect(asked.status).toBe(200);
      expect(await notified(draftId, reviewers())).toEqual(reviewers());
    });

    it('notifies every reviewer if an approval submits it', async () => {
      const other = await bench.server.signUp();
      await joinOrganization(bench.server, other, bench.orgId, 'reviewer');
      const draftId = await removing();
      expect((await bench.act(bench.reviewer, draftId, 'approve')).status).toBe(200);
      expect(await notified(draftId, [bench.owner, other])).toEqual([bench.owner, other]);
    });

    it('notifies every reviewer of the merge, because a quick merge closes requests that they may not have read', async () => {
      const draftId = await removing();
      for (const [who, action] of [
        [bench.editor, 'submit'],
        [bench.reviewer, 'approve'],
        [bench.reviewer, 'merge'],
      ] as const)
        expect((await bench.act(who, draftId, action)).status).toBe(200);
      const [newest] =
        await bench.owner.get<{ kind: string; readAt: string | null; body: string }[]>('/api/notifications');
      expect(newest).toMatchObject({ kind: 'draft_merged', readAt: null });
      expect(newest?.body).toContain('v2 is live');
      expect(newest?.body).toContain('Check');
    });
  });
});

describe('merging content that became incomplete in review', () => {
  const complete = { metadata: INCOMPLETE.metadata, steps: [{ id: 'a', title: 'Pay', type: 'manual', next: [] }] };
  const inReview = async () => {
    bench.newKey();
    const { draftId, revision } = await bench.create(bench.editor, complete);
    await bench.act(bench.editor, draftId, 'submit');
    await bench.editor.patch(bench.at(draftId), INCOMPLETE, { 'if-match': `"${revision}"` });
    expect((await bench.act(bench.owner, draftId, 'approve')).status).toBe(200);
    return draftId;
  };

  it('is refused, and the draft says why', async () => {
    const draftId = await inReview();
    expect(await bench.read(draftId, bench.owner)).toMatchObject({
      blockers: [
        {
          code: 'content_incomplete',
          sentence: 'The workflow is incomplete',
          hint: expect.stringContaining('Step "Is it more than 500?": The condition is missing') as string,
        },
      ],
      abilities: { merge: false },
    });
    expect(await bench.act(bench.owner, draftId, 'merge')).toMatchObject({
      status: 409,
      body: {
        code: 'content_incomplete',
        details: [{ stepId: 'a' }, { stepId: 'a' }, { stepId: 'b' }, { stepId: 'b' }],
      },
    });
    expect((await bench.read(draftId)).status).toBe('in_review');
  });

  it('is possible in an emergency', async () => {
    const draftId = await inReview();
    const merged = await bench.act(bench.owner, draftId, 'merge', { emergency: { reason: 'The shop is down' } });
    expect(merged.status).toBe(200);
    const events = await bench.server.sql<{ payload: string }>(
      `select payload from audit_events where subject_id = $1 and action = 'draft.merged'`,
      [draftId],
    );
    expect(events[0]?.payload).toContain('"pastReview":["content_incomplete"]');
  });
});
