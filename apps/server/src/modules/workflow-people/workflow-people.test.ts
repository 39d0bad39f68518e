import type {
  Confirmation,
  ReviewTask,
  WholeDraft,
  WorkflowDetail,
  WorkflowDocument,
  WorkflowPeople,
} from '@stet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Saved, content, refused, startDraftBench } from '../../testing/drafts.ts';
import { chanceOf } from '../../testing/governance/random.ts';
import { joinOrganization, publish, stepsNamed, teamOf } from '../../testing/organization.ts';
import type { Person } from '../../testing/server.ts';

declare const process: { env: Record<string, string | undefined> };

const bench = await startDraftBench();
const { server, owner, editor, reviewer, orgId, read, create, act, blockersOf } = bench;
afterAll(() => server.stop());

let admin: Person;
let rita: Person;
let key = '';
beforeAll(async () => {
  admin = await server.signUp({ name: 'Ada Admin' });
  await joinOrganization(server, admin, orgId, 'admin');
  rita = await server.signUp({ name: 'Rita Rules' });
  await joinOrganization(server, rita, orgId, 'reviewer');
});
beforeEach(async () => {
  key = bench.newKey();
  await publish(editor, reviewer, key);
});

const pathOf = (of = key) => `/api/workflows/${of}/people`;
const setPeople = (by: Person, body: { owners?: readonly Person[]; reviewers?: readonly Person[] }, of = key) =>
  by.call<WorkflowPeople & { code: string; details: { field: string; problem: string }[] }>('PATCH', pathOf(of), {
    ...(body.owners && { owners: body.owners.map(({ user }) => user.id) }),
    ...(body.reviewers && { reviewers: body.reviewers.map(({ user }) => user.id) }),
  });
const peopleNow = (of = key) => owner.get<WorkflowPeople>(pathOf(of));
const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name);
const submitted = async (by = editor): Promise<string> => {
  const { draftId } = await create(by);
  await act(by, draftId, 'submit');
  return draftId;
};
const waiting = async (who: Person): Promise<Confirmation | undefined> =>
  (await who.get<Confirmation[]>('/api/confirmations')).find(({ kind }) => kind === 'reviewers');
const confirm = (who: Person, id = '') => who.call('POST', `/api/confirmations/${id}/confirm`);
const eventsAbout = async (action: string, subject?: string) =>
  (
    await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = $2 and subject_id = coalesce($3, subject_id) order by seq`,
      [orgId, action, subject ?? null],
    )
  ).map(({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);
const titlesOf = async (person: Person) =>
  (await person.get<{ title: string; body: string }[]>('/api/notifications')).map(({ title }) =>
    title.replaceAll(/[\u2068\u2069]/g, ''),
  );

describe('the owners of a workflow', () => {
  it('are set by owners and admins, shown to everyone and notified, and get no additional permissions', async () => {
    for (const person of [editor, reviewer]) expect((await setPeople(person, { owners: [person] })).status).toBe(403);
    expect((await setPeople(admin, { owners: [editor, editor] })).body).toMatchObject({
      owners: [{ id: editor.user.id }],
      reviewers: [],
      needsReviewer: false,
      pending: null,
    });
    expect(await reviewer.get(pathOf())).toMatchObject({
      owners: [{ id: editor.user.id }],
      abilities: { change: false },
    });
    expect((await eventsAbout('workflow.people_changed')).at(-1)).toMatchObject({
      key,
      before: { owners: [] },
      after: { owners: [{ id: editor.user.id, email: editor.user.email }], reviewers: [], needsReviewer: false },
      addedBy: [admin.user.id],
    });
    expect(await titlesOf(editor)).toContain(`You are an owner of Title of ${key}`);
    const { draftId } = await create(editor);
    expect((await act(editor, draftId, 'merge')).status).toBe(403);
  });

  it('are shown with the workflow and its document: the owner named first or, if there is none, the creator', async () => {
    const shown = async () => [
      (await reviewer.get<WorkflowDetail>(`/api/workflows/${key}`)).owner.id,
      (await reviewer.get<WorkflowDocument>(`/api/workflows/${key}/document`)).owner.id,
    ];
    expect(await shown()).toEqual([editor.user.id, editor.user.id]);
    await setPeople(owner, { owners: [admin] });
    await setPeople(owner, { owners: [rita, admin] });
    expect(await shown()).toEqual([admin.user.id, admin.user.id]);
  });

  it('are notified when a version goes live or is rolled back', async () => {
    await setPeople(owner, { owners: [admin] });
    const draftId = await submitted();
    await act(reviewer, draftId, 'approve');
    await act(reviewer, draftId, 'merge');
    await owner.post(`/api/workflows/${key}/versions/1/rollback`, { reason: 'Again' });
    const bodies = (await admin.get<{ body: string }[]>('/api/notifications')).map(({ body }) => body).join('\n');
    expect(bodies).toContain('has merged this draft: v2 is live');
    expect(bodies).toContain('rolled this workflow back from v2 to v1');
  });
});

describe('the reviewers of a workflow', () => {
  it('are a requirement: one of them has to approve each draft, in addition to the required approvals', async () => {
    expect((await setPeople(owner, { reviewers: [rita] })).body).toMatchObject({ needsReviewer: true, pending: null });
    const draftId = await submitted();
    expect((await read(draftId)).requirements).toEqual([
      {
        group: null,
        name: 'Reviewers',
        needed: 1,
        has: 0,
        by: [],
        because: [expect.stringContaining('Rita Rules') as string],
      },
    ]);
    expect(await titlesOf(rita)).toContain('Hiring');
    await act(reviewer, draftId, 'approve');
    expect(await blockersOf(draftId)).toEqual(['needs_reviewer_approval']);
    expect((await read(draftId)).blockers[0]?.hint).toContain('Rita Rules');
    expect(await act(reviewer, draftId, 'merge')).toMatchObject(refused(409, 'needs_reviewer_approval'));
    // There are enough approvals, so the draft is still a task of Rita, but no longer of others.
    const tasks = async (who: Person) =>
      (await who.get<ReviewTask[]>('/api/tasks/reviews')).filter((task) => task.draftId === draftId).length;
    expect([await tasks(rita), await tasks(admin)]).toEqual([1, 0]);
    await act(rita, draftId, 'approve');
    expect(await tasks(rita)).toBe(0);
    expect((await read(draftId)).requirements).toMatchObject([{ has: 1, by: [{ id: rita.user.id }] }]);
    expect((await act(reviewer, draftId, 'merge')).status).toBe(200);
    expect((await eventsAbout('draft.merged', draftId)).at(-1)).toMatchObject({
      requirements: [{ group: null, by: rita.user.id, because: ['workflow_reviewers'] }],
    });
  });

  it('are notified of a submission even if the author asks only someone else', async () => {
    await setPeople(owner, { reviewers: [rita] });
    const { draftId } = await create(editor, content(`Asked ${key}`));
    await act(editor, draftId, 'submit', { reviewers: [reviewer.user.id] });
    expect(await titlesOf(rita)).toContain(`Asked ${key}`);
    expect(await titlesOf(admin)).not.toContain(`Asked ${key}`);
  });

  it('don’t meet the requirement for drafts that were started before they were named, or if they named themselves', async () => {
    const early = await submitted();
    await setPeople(owner, { reviewers: [rita] });
    await act(rita, early, 'approve');
    expect(await blockersOf(early)).toEqual(['needs_reviewer_approval']);
    expect((await read(early)).blockers[0]?.hint).toContain('only for a new draft');
    await setPeople(admin, { reviewers: [rita, admin] });
    const own = await submitted();
    await act(admin, own, 'approve');
    expect(await blockersOf(own)).toEqual(['needs_reviewer_approval']);
    await act(rita, own, 'approve');
    expect(await blockersOf(own)).toEqual([]);
  });

  it('don’t meet the requirement for earlier drafts, even if a clock was set back before they were named', async () => {
    const early = await submitted();
    // As if everything until now had been stored while the clock was an hour ahead.
    await server.sql(`update workflow_versions set created_at = created_at + interval '1 hour' where id = $1`, [early]);
    await server.sql(`update audit_heads set at = at + interval '1 hour' where org_id = $1`, [orgId]);
    await setPeople(owner, { reviewers: [rita] });
    await act(rita, early, 'approve');
    expect(await blockersOf(early)).toEqual(['needs_reviewer_approval']);
    const later = await submitted();
    await server.sql(`update workflow_versions set created_at = created_at + interval '2 hours' where id = $1`, [
      later,
    ]);
    await act(rita, later, 'approve');
    expect(await blockersOf(later)).toEqual([]);
    await server.sql(`update audit_heads set at = at - interval '1 hour' where org_id = $1`, [orgId]);
  });

  it('approve with a mark if the author named them, which doesn’t meet the requirement under strict review', async () => {
    await setPeople(admin, { reviewers: [rita] });
    const draftId = await submitted(admin);
    await act(rita, draftId, 'approve');
    expect((await read(draftId)).reviews).toMatchObject([{ standing: 'counts', marks: ['named_by_author'] }]);
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    expect(await blockersOf(draftId)).toContain('needs_reviewer_approval');
    await server.sql('update organizations set strict = false where id = $1', [orgId]);
    expect((await act(reviewer, draftId, 'merge')).body).toMatchObject({
      version: { approvals: [{ marks: ['named_by_author'] }] },
    });
  });

  it('can be removed only with a second manager’s confirmation', async () => {
    await setPeople(owner, { reviewers: [rita, reviewer] });
    const fewer = await setPeople(owner, { owners: [editor], reviewers: [reviewer] });
    // The change of the owners takes effect immediately.
    expect(fewer.body).toMatchObject({
      owners: [{ id: editor.user.id }],
      reviewers: [{ id: reviewer.user.id }, { id: rita.user.id }],
      pending: { reviewers: [{ id: reviewer.user.id }], proposedBy: { id: owner.user.id } },
    });
    const proposal = await waiting(admin);
    expect(proposal?.sentence.replaceAll(/[\u2068\u2069]/g, '')).toBe(
      `Change the reviewers of Title of ${key}, one of whom has to approve each draft: The reviewer, Rita Rules → The reviewer.`,
    );
    expect(await confirm(owner, proposal?.id)).toMatchObject(refused(403, 'proposer_cannot_confirm'));
    // A list without removals takes effect immediately and replaces the proposal.
    await setPeople(owner, { reviewers: [rita, reviewer, admin] });
    expect((await confirm(admin, proposal?.id)).status).toBe(409);
    expect(namesOf((await peopleNow()).reviewers)).toHaveLength(3);
    await setPeople(owner, { reviewers: [] });
    expect((await confirm(admin, (await waiting(admin))?.id)).status).toBe(200);
    expect(await peopleNow()).toMatchObject({ reviewers: [], needsReviewer: false, pending: null });
    expect((await eventsAbout('workflow.people_changed')).at(-1)).toMatchObject({
      after: { reviewers: [], needsReviewer: false },
      proposedBy: owner.user.id,
    });
    expect(await blockersOf(await submitted())).toEqual(['needs_approvals']);
  });

  it('count as added by the manager who confirmed the proposal', async () => {
    await setPeople(owner, { reviewers: [reviewer] });
    await setPeople(admin, { reviewers: [rita] });
    expect((await confirm(owner, (await waiting(owner))?.id)).status).toBe(200);
    const draftId = await submitted(admin);
    await act(rita, draftId, 'approve');
    expect((await read(draftId)).reviews).toMatchObject([{ standing: 'counts', marks: [] }]);
  });

  it('are removed with their membership in the organization, but the approval of a reviewer is still required', async () => {
    const {
      owner: boss,
      admin: other,
      editor: ed,
      reviewer: rev,
      orgId: team,
    } = await teamOf(server, ['admin', 'editor', 'reviewer']);
    await publish(ed, rev, key);
    await setPeople(boss, { owners: [rev], reviewers: [rev] });
    expect((await boss.call('DELETE', `/api/organizations/${team}/users/${rev.user.id}`)).status).toBe(200);
    expect(await boss.get(pathOf())).toMatchObject({ owners: [], reviewers: [], needsReviewer: true });
    const [event] = await server.sql<{ payload: string }>(
      `select payload from audit_events where org_id = $1 and action = 'workflow.people_changed' order by seq desc limit 1`,
      [team],
    );
    expect(JSON.parse(event?.payload ?? '')).toMatchObject({
      data: { because: 'member_removed', after: { owners: [], reviewers: [], needsReviewer: true } },
    });
    const { draftId } = await ed.post<Saved>(`/api/workflows/${key}/drafts`, content('Stuck'));
    const path = `/api/workflows/${key}/drafts/${draftId}`;
    await boss.post(`${path}/approve`);
    const stuck = await ed.get<WholeDraft>(path);
    expect(stuck.blockers).toMatchObject([{ code: 'needs_reviewer_approval' }]);
    expect(stuck.blockers[0]?.hint).toContain('All of them have left the organization');
    // Someone else can be named immediately, and can approve the next draft.
    expect((await setPeople(other, { reviewers: [boss] })).body).toMatchObject({ pending: null });
    const next = await ed.post<Saved>(`/api/workflows/${key}/drafts`, content('Next'));
    const nextPath = `/api/workflows/${key}/drafts/${next.draftId}`;
    await boss.post(`${nextPath}/approve`);
    expect((await boss.call('POST', `${nextPath}/merge`)).status).toBe(200);
  });

  it('if disabled or no longer able to review, cause a hint that none of them can approve the draft', async () => {
    await setPeople(owner, { reviewers: [rita] });
    const draftId = await submitted();
    const hint = async () =>
      (await read(draftId)).blockers.find(({ code }) => code === 'needs_reviewer_approval')?.hint ?? '';
    expect(await hint()).toContain('One of them has to approve it');
    await server.sql('update users set disabled_at = now() where id = $1', [rita.user.id]);
    expect(await hint()).toContain('The approvals of its reviewers don’t count for this draft');
    await server.sql('update users set disabled_at = null where id = $1', [rita.user.id]);
    await server.sql(`update memberships set role = 'viewer' where org_id = $1 and user_id = $2`, [
      orgId,
      rita.user.id,
    ]);
    expect(await hint()).toContain('The approvals of its reviewers don’t count for this draft');
    await server.sql(`update memberships set role = 'reviewer' where org_id = $1 and user_id = $2`, [
      orgId,
      rita.user.id,
    ]);
  });

  it('are named in the hint only if their approval counts, so not if they wrote the draft or named themselves', async () => {
    const hintFor = async (reviewers: readonly Person[]): Promise<string> => {
      const people = await teamOf(server, ['admin', 'editor', 'reviewer']);
      const { owner: boss, admin: author, editor: ed, reviewer: rev } = people;
      await publish(ed, rev, key);
      const named = reviewers.map((each) => (each === owner ? boss : each === admin ? author : rev));
      await setPeople(boss, { reviewers: named });
      const { draftId } = await author.post<Saved>(`/api/workflows/${key}/drafts`, content('Hint'));
      const { blockers } = await ed.get<WholeDraft>(`/api/workflows/${key}/drafts/${draftId}`);
      const hint = blockers.find(({ code }) => code === 'needs_reviewer_approval')?.hint ?? '';
      return hint
        .replaceAll(boss.user.name, 'Boss')
        .replaceAll(rev.user.name, 'Rev')
        .replaceAll(/[\u2066-\u2069]/g, '');
    };
    expect(await hintFor([owner, admin, rita])).toContain('One of them has to approve it: Rev.');
    expect(await hintFor([owner])).toContain('don’t count for this draft: Boss.');
  });

  it('are needed for a rollback: one of them must have approved the restored version', async () => {
    await setPeople(owner, { reviewers: [rita] });
    const draftId = await submitted();
    await act(rita, draftId, 'approve');
    await act(rita, draftId, 'merge');
    const rollback = (version: number) => owner.call('POST', `/api/workflows/${key}/versions/${version}/rollback`);
    expect(await rollback(1)).toMatchObject({
      status: 409,
      body: {
        code: 'rollback_needs_review',
        details: [{ code: 'needs_reviewer_approval', sentence: 'None of the workflow’s reviewers approved it' }],
      },
    });
    const again = await submitted();
    await act(rita, again, 'approve');
    await act(rita, again, 'merge');
    expect((await rollback(2)).status).toBe(200);
  });

  it('don’t make a rollback possible under strict review if an author of the version named them', async () => {
    await setPeople(admin, { reviewers: [rita] });
    for (const _ of [2, 3]) {
      const draftId = await submitted(admin);
      await act(rita, draftId, 'approve');
      await act(reviewer, draftId, 'approve');
      await act(reviewer, draftId, 'merge');
    }
    await server.sql('update organizations set strict = true where id = $1', [orgId]);
    const reply = await owner.call('POST', `/api/workflows/${key}/versions/2/rollback`);
    await server.sql('update organizations set strict = false where id = $1', [orgId]);
    expect(reply).toMatchObject({
      status: 409,
      body: { details: [{ code: 'needs_reviewer_approval' }] },
    });
    expect((await owner.call('POST', `/api/workflows/${key}/versions/2/rollback`)).status).toBe(200);
  });

  it('can’t be changed once the workflow is deleted, and a proposal about them ends with the workflow', async () => {
    const fresh = bench.newKey();
    const { draftId } = await create(editor);
    await setPeople(owner, { reviewers: [rita] }, fresh);
    await setPeople(owner, { reviewers: [] }, fresh);
    expect((await editor.call('DELETE', bench.at(draftId))).status).toBe(200);
    expect(await editor.call('POST', `/api/workflows/${fresh}/drafts`, content('Again'))).toMatchObject(
      refused(409, 'key_taken'),
    );
    expect(await setPeople(owner, { reviewers: [] }, fresh)).toMatchObject({ status: 404 });
    expect(await waiting(admin)).toBeUndefined();
    const other = bench.newKey();
    await create(editor);
    await setPeople(owner, { reviewers: [rita] }, other);
    await setPeople(owner, { reviewers: [] }, other);
    expect(await waiting(admin)).toBeDefined();
    expect((await editor.call('DELETE', `/api/workflows/${other}`)).status).toBe(200);
    expect(await waiting(admin)).toBeUndefined();
  });

  it('can be named by the only manager of three people, who can continue if the reviewer leaves', async () => {
    const { owner: boss, editor: ed, reviewer: rev, orgId: team } = await teamOf(server, ['editor', 'reviewer']);
    await publish(ed, rev, key);
    const draftAt = async (by: Person) => {
      const { draftId } = await by.post<Saved>(`/api/workflows/${key}/drafts`, content('Three'));
      await by.post(`/api/workflows/${key}/drafts/${draftId}/submit`);
      return `/api/workflows/${key}/drafts/${draftId}`;
    };
    await setPeople(boss, { reviewers: [boss] });
    const one = await draftAt(ed);
    await boss.post(`${one}/approve`);
    expect((await boss.call('POST', `${one}/merge`)).status).toBe(200);
    // The owner is the only reviewer and writes a draft, so someone else has to be named.
    await setPeople(boss, { reviewers: [boss, rev] });
    const two = await draftAt(boss);
    await rev.post(`${two}/approve`);
    expect((await boss.call('POST', `${two}/merge`)).status).toBe(200);
    expect((await setPeople(boss, { reviewers: [rev] })).body).toMatchObject({ pending: null, reviewers: [{}] });
    await boss.call('DELETE', `/api/organizations/${team}/users/${rev.user.id}`);
    await setPeople(boss, { reviewers: [boss] });
    const three = await draftAt(ed);
    await boss.post(`${three}/approve`);
    expect((await boss.call('POST', `${three}/merge`)).status).toBe(200);
  });

  it('are refused if they aren’t members or can’t review, and the refusal names the field', async () => {
    const stranger = await server.signUp();
    const cases = [
      [{ owners: [rita, stranger] }, 'owners.1', 'not a member'],
      [{ reviewers: [stranger] }, 'reviewers.0', 'not a member'],
      [{ reviewers: [rita, editor] }, 'reviewers.1', 'can’t review'],
    ] as const;
    for (const [body, field, problem] of cases) {
      const reply = await setPeople(owner, body);
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid', details: [{ field }] } });
      expect(reply.body.details[0]?.problem).toContain(problem);
    }
    expect(await peopleNow()).toMatchObject({ owners: [], reviewers: [] });
    const alone = await server.signUp();
    await alone.post('/api/workflows/mine/drafts', content('Mine'));
    expect(await setPeople(alone, { reviewers: [alone] }, 'mine')).toMatchObject(
      refused(409, 'individual_organization'),
    );
    expect((await setPeople(alone, { owners: [alone] }, 'mine')).status).toBe(200);
    expect(await setPeople(owner, { owners: [] }, 'unknown')).toMatchObject({ status: 404 });
  });

  it('never include someone who leaves while they are being named', async () => {
    for (let n = 0; n < 5; n += 1) {
      const leaver = await server.signUp();
      await joinOrganization(server, leaver, orgId, 'reviewer');
      const [named, left] = await Promise.all([
        setPeople(owner, { reviewers: [leaver] }),
        leaver.call('DELETE', `/api/organizations/${orgId}/users/${leaver.user.id}`),
      ]);
      expect([200, 400]).toContain(named.status);
      expect(left.status).toBe(200);
      expect((await peopleNow()).reviewers).toEqual([]);
    }
  });
});

/**
 * To run more attempts or repeat a run: `STET_ATTACKS=500 STET_SEED=1 npx vitest run --project integration <this
 * file>`.
 */
const attempts = Number(process.env['STET_ATTACKS'] ?? 60);
const seed = Number(process.env['STET_SEED'] ?? Date.now() % 1_000_000);

/** A draft, and the workflow's reviewers when it was started, each with the person who named them. */
type Started = { draftId: string; author: Person; reviewers: Map<string, string> };

describe(`${attempts} attempts to get a draft live without the workflow’s reviewers (seed ${seed})`, () => {
  it('all fail, regardless of the changes in between', { timeout: 800_000 }, async () => {
    const chance = chanceOf(seed);
    const frank = await server.signUp({ name: 'Frank Friend' });
    await joinOrganization(server, frank, orgId, 'reviewer');
    let tried = 0;
    while (tried < attempts) {
      key = bench.newKey();
      await publish(editor, reviewer, key);
      // Rita approves nothing, and the admin confirms nothing.
      await joinOrganization(server, rita, orgId, 'reviewer');
      await setPeople(admin, { reviewers: [rita] });
      let reviewers = new Map([[rita.user.id, admin.user.id]]);
      const started: Started[] = [];
      const any = () => (started.length === 0 ? null : chance.pick(started));
      const moves: (() => Promise<unknown>)[] = [
        async () => {
          const author = chance.pick([owner, editor]);
          const made = await author.call<Saved>('POST', `/api/workflows/${key}/drafts`, {
            metadata: { title: 'Sneaky' },
            steps: stepsNamed('First', `Other ${started.length}`),
          });
          if (made.status === 201) started.push({ draftId: made.body.draftId, author, reviewers: new Map(reviewers) });
        },
        async () => {
          const draft = any();
          if (draft) await act(draft.author, draft.draftId, chance.pick(['submit', 'withdraw']));
        },
        async () => {
          const draft = any();
          if (draft) await act(chance.pick([owner, reviewer, frank]), draft.draftId, 'approve');
        },
        async () => {
          const draft = any();
          if (draft) await editor.call('POST', bench.at(draft.draftId, '/rebase'), {});
        },
        async () => {
          const wanted = chance.pick([[owner], [rita, owner], [rita, frank], [frank], [], [rita]]);
          const { body, status } = await setPeople(owner, { reviewers: wanted });
          if (status !== 200) return;
          reviewers = new Map(body.reviewers.map(({ id }) => [id, reviewers.get(id) ?? owner.user.id]));
        },
        // The removal of a member from the organization needs no second manager.
        async () => {
          if (chance.below(2) > 0) return;
          await owner.call('DELETE', `/api/organizations/${orgId}/users/${rita.user.id}`);
          reviewers.delete(rita.user.id);
        },
        () => editor.call('POST', `/api/workflows/${key}/versions/1/restore`),
        async () => {
          tried += 1;
          const draft = any();
          if (draft) await act(chance.pick([owner, reviewer]), draft.draftId, 'merge');
        },
        async () => {
          tried += 1;
          await owner.call('POST', `/api/workflows/${key}/versions/${1 + chance.below(3)}/rollback`);
        },
      ];
      const was = tried;
      for (let n = 0; n < 60 && tried - was < 12; n += 1) {
        await chance.pick(moves)();
        const { versions } = await editor.get<WorkflowDetail>(`/api/workflows/${key}`);
        const live = versions.find(({ status }) => status === 'live');
        if (!live || live.version === 1) continue;
        const draft = started.find(({ draftId }) => draftId === live.id);
        const by = (live.approvals ?? []).filter(({ reviewer: { id } }) => {
          const namedBy = draft?.reviewers.get(id);
          return namedBy !== undefined && namedBy !== id && reviewers.has(id);
        });
        const isMarked = by.some(
          ({ reviewer: { id }, marks }) =>
            draft?.reviewers.get(id) !== draft?.author.user.id || marks.includes('named_by_author'),
        );
        expect({ seed, key, live: live.version, isApproved: by.length > 0 && isMarked }).toEqual({
          seed,
          key,
          live: live.version,
          isApproved: true,
        });
      }
    }
  });
});
