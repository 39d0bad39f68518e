import type { VersionRecord, WorkflowDetail } from '@stet/contract';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { content, refused, startDraftBench } from '../../testing/drafts.ts';
import { publish } from '../../testing/organization.ts';

const bench = await startDraftBench();
const { server, editor, reviewer, at, read, create, act } = bench;

describe('merging a draft', () => {
  let key: string;
  beforeEach(() => (key = bench.newKey()));
  afterAll(() => server.stop());

  it('needs no submission or approval on a personal account', async () => {
    const person = await server.signUp();
    const { draftId } = await create(person);
    expect(await read(draftId, person)).toMatchObject({
      policy: { requiredApprovals: 0 },
      blockers: [],
      abilities: { publish: true, merge: true },
    });
    expect(await act(person, draftId, 'merge')).toMatchObject({
      status: 200,
      body: { version: { version: 1, status: 'live' } },
    });
  });

  it('is refused if another draft was merged first', async () => {
    await publish(editor, reviewer, key);
    const [one, other] = [await create(editor, content('One')), await create(editor, content('Other'))];
    for (const { draftId } of [one, other]) await act(reviewer, draftId, 'approve');
    expect((await act(reviewer, one.draftId, 'merge')).status).toBe(200);
    expect(await act(reviewer, other.draftId, 'merge')).toMatchObject({
      status: 409,
      body: { code: 'out_of_date', details: [{ code: 'out_of_date', liveVersionId: one.draftId }] },
    });
    expect((await editor.get<WorkflowDetail>(`/api/workflows/${key}`)).metadata.title).toBe('One');
  });

  it('succeeds for only one of ten concurrent requests that merge two drafts', async () => {
    await publish(editor, reviewer, key);
    const drafts = [await create(editor, content('One')), await create(editor, content('Other'))];
    for (const { draftId } of drafts) await act(reviewer, draftId, 'approve');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => act(reviewer, drafts[n % 2]?.draftId ?? '', 'merge')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const versions = await editor.get<VersionRecord[]>(`/api/workflows/${key}/versions`);
    expect(versions.filter(({ status }) => status === 'live').map(({ version }) => version)).toEqual([2]);
    expect(versions.map(({ version }) => version).toSorted((a, b) => (a ?? 99) - (b ?? 99))).toEqual([1, 2, null]);
  });

  it('doesn’t include a concurrent change: only one of the two requests succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      key = bench.use(`race-${round}`);
      const { draftId } = await create();
      await act(reviewer, draftId, 'approve');
      const [merged, saved] = await Promise.all([
        act(reviewer, draftId, 'merge'),
        editor.call('PATCH', at(draftId), content('Sneaked in')),
      ]);
      expect([merged.status, saved.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
      const { metadata, status } = await editor.get<WorkflowDetail>(`/api/workflows/${key}`);
      expect({ status, title: metadata.title }).toEqual(
        merged.status === 200 ? { status: 'live', title: 'Hiring' } : { status: 'in_review', title: 'Sneaked in' },
      );
    }
  });

  it('is refused after a rollback to another version, until the draft’s base is live again', async () => {
    await publish(editor, reviewer, key);
    await publish(editor, reviewer, key);
    const { draftId } = await create();
    await act(reviewer, draftId, 'approve');
    await reviewer.post(`/api/workflows/${key}/versions/1/rollback`);
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'out_of_date'));
    expect((await read(draftId)).blockers).toEqual([
      {
        code: 'out_of_date',
        sentence: 'The live version has changed since this draft was started',
        hint: 'The draft is based on v2, and v1 is live now. Rebase it to continue.',
      },
    ]);
    await reviewer.post(`/api/workflows/${key}/versions/2/rollback`);
    expect(await act(reviewer, draftId, 'merge')).toMatchObject({ status: 200, body: { version: { version: 3 } } });
    expect(await read(draftId)).toMatchObject({
      status: 'live',
      merged: { by: { id: reviewer.user.id } },
      blockers: [],
      abilities: { approve: false, requestChanges: false, merge: false, comment: false },
    });
  });
});
