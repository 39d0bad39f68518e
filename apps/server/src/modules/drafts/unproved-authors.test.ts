import type { Confirmation, SentInvitation } from '@stet/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { refused } from '../../testing/drafts.ts';
import { contentTitled } from '../../testing/organization.ts';
import { secondPersonBench } from '../../testing/second-person.ts';
import { type Person, startTestServer } from '../../testing/server.ts';

const server = await startTestServer();
const { logIn, found, add, draft, pass, prove, remove, setRole } = secondPersonBench(server);
afterAll(() => server.stop());

/** A different address for a person's mailbox. */
const tagged = ({ user: { email } }: Person): string => email.replace('@', '+other@');

/** A team with a second manager and a reviewer, both with proved addresses. */
async function team() {
  const mara = await found(true);
  const jon = await add(mara, 'admin', { mailed: true });
  const rita = await add(mara, 'reviewer', { mailed: true });
  return { mara, jon, rita };
}

describe("an unproved account whose address belongs to another person's mailbox", () => {
  /**
   * Mara invites a second address of each colleague's mailbox, accepts through the links that she can see, and saves
   * the draft with these accounts.
   */
  const conscript = async (mara: Person, path: string, ...colleagues: Person[]): Promise<void> => {
    for (const [n, each] of colleagues.entries()) {
      const second = await add(mara, 'editor', { email: tagged(each) });
      await second.patch(path, contentTitled(`Hiring, saved ${n}`));
    }
  };

  it("doesn't let the author approve alone while there are other reviewers", async () => {
    const { mara, jon, rita } = await team();
    const made = await draft(mara);
    expect(await made.act(mara, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    await conscript(mara, made.path, jon, rita);
    expect(await made.act(mara, 'approve')).toMatchObject(refused(403, 'contributor_cannot_approve'));
    expect((await made.act(mara, 'merge')).status).toBe(409);
  });

  it("can't be used to make a draft go live after everyone who can review has requested changes", async () => {
    const { mara, jon, rita } = await team();
    const made = await draft(mara);
    for (const each of [jon, rita]) await made.act(each, 'request-changes', { comment: 'This needs changes' });
    await conscript(mara, made.path, jon, rita);
    for (const each of [jon, rita])
      await made.act(mara, `objections/${each.user.id}/set-aside`, { reason: 'I want it live' });
    await made.act(mara, 'approve');
    const merged = await made.act(mara, 'merge');
    expect({ status: merged.status, approvals: merged.body.version?.approvals }).toEqual({ status: 409 });
  });

  it("doesn't prevent the mailbox's owner from approving", async () => {
    const { mara, rita } = await team();
    const made = await draft(mara);
    await conscript(mara, made.path, rita);
    expect((await made.act(rita, 'approve')).status).toBe(200);
  });

  it("doesn't let the author set aside the request for changes of a reviewer who is still a member", async () => {
    const { mara, jon, rita } = await team();
    const made = await draft(mara);
    for (const each of [jon, rita]) await made.act(each, 'request-changes', { comment: 'This needs changes' });
    await conscript(mara, made.path, jon, rita);
    for (const each of [jon, rita])
      expect(await made.act(mara, `objections/${each.user.id}/set-aside`, { reason: 'I want it live' })).toMatchObject(
        refused(409, 'reviewer_still_here'),
      );
  });

  it("doesn't let the author set aside a request for changes under strict review either", async () => {
    const { mara, jon, rita } = await team();
    await mara.patch(`/api/organizations/${mara.user.currentOrgId}`, { strict: true });
    const made = await draft(mara);
    await made.act(rita, 'request-changes', { comment: 'This needs changes' });
    await conscript(mara, made.path, jon, rita);
    expect(await made.act(mara, `objections/${rita.user.id}/set-aside`, { reason: 'I want it live' })).toMatchObject(
      refused(409, 'reviewer_still_here'),
    );
  });

  it("doesn't turn the approvals of two people into one vote", async () => {
    const { mara, jon, rita } = await team();
    await mara.patch(`/api/organizations/${mara.user.currentOrgId}`, { requiredApprovals: 2 });
    const ed = await add(jon, 'editor', { mailed: true });
    const made = await draft(ed);
    await add(mara, 'reviewer', { email: tagged(rita) });
    for (const each of [mara, rita]) expect((await made.act(each, 'approve')).status).toBe(200);
    expect((await made.read(ed)).blockers).toEqual([]);
  });
});

describe('an unproved account that the author of a draft created with a link from another manager', () => {
  it("doesn't let the author approve alone while that manager is a member", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const made = await draft(mara);
    const second = await add(jon, 'editor');
    await second.patch(made.path, contentTitled('Hiring, saved again'));
    expect((await made.act(mara, 'approve')).status).not.toBe(200);
  });

  it("doesn't let the author set aside that manager's request for changes", async () => {
    const mara = await found(true);
    const jon = await add(mara, 'admin', { mailed: true });
    const made = await draft(mara);
    await made.act(jon, 'request-changes', { comment: 'This needs changes' });
    const second = await add(jon, 'editor');
    await second.patch(made.path, contentTitled('Hiring, saved again'));
    expect(await made.act(mara, `objections/${jon.user.id}/set-aside`, { reason: 'I want it live' })).toMatchObject(
      refused(409, 'reviewer_still_here'),
    );
  });
});

it('a draft by an unproved account also counts as the work of the person who invited its inviter', async () => {
  const founder = await found();
  const mara = await add(founder, 'admin');
  const jon = await add(founder, 'admin');
  await setRole(founder, jon, 'owner');
  await remove(founder, founder);
  await pass(jon.user.currentOrgId, 30);
  const between = await add(mara, 'admin');
  const second = await add(between, 'editor');
  await remove(mara, between);
  for (const each of [mara, jon]) await prove(each);
  const made = await draft(second);
  await made.act(second, 'submit');
  expect(await made.act(mara, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
  expect((await made.act(jon, 'approve')).status).toBe(200);
  const [about] = await mara.get<Confirmation[]>('/api/confirmations');
  expect(about).toMatchObject({ subjectId: second.user.id });
  expect((await mara.call('POST', `/api/confirmations/${about?.id}/confirm`)).status).toBe(409);
});

describe('an unproved reviewer whom one of two managers invited, after being invited by the other', () => {
  /** Olga invites Dan, and Dan invites a reviewer, before any of them has proved an address. */
  async function chain() {
    const founder = await found();
    const olga = await add(founder, 'admin');
    await setRole(founder, olga, 'owner');
    await remove(founder, founder);
    await pass(olga.user.currentOrgId, 30);
    const dan = await add(olga, 'admin');
    const rex = await add(dan, 'reviewer');
    return { olga, dan, rex };
  }

  it("can't approve a draft by the manager who invited them, which the other manager can approve", async () => {
    const { olga, dan, rex } = await chain();
    for (const each of [olga, dan]) await prove(each);
    const made = await draft(dan);
    await made.act(dan, 'submit');
    expect(await made.act(rex, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
    expect((await made.act(dan, 'merge')).status).toBe(409);
    expect((await made.act(olga, 'approve')).status).toBe(200);
    expect((await made.act(dan, 'merge')).status).toBe(200);
  });

  it("can't satisfy the policy with an approval from before both managers were proved, until they prove their address", async () => {
    const { olga, dan, rex } = await chain();
    const made = await draft(dan);
    await made.act(dan, 'submit');
    expect((await made.act(rex, 'approve')).status).toBe(200);
    for (const each of [olga, dan]) await prove(each);
    expect((await made.read(dan)).blockers).toContainEqual(expect.objectContaining({ code: 'needs_approvals' }));
    expect((await made.act(dan, 'merge')).status).toBe(409);
    await prove(rex);
    expect((await made.act(dan, 'merge')).status).toBe(200);
  });

  it('can approve once they prove their address', async () => {
    const { olga, dan, rex } = await chain();
    for (const each of [olga, dan, rex]) await prove(each);
    const made = await draft(olga);
    await made.act(olga, 'submit');
    expect((await made.act(rex, 'approve')).status).toBe(200);
  });

  describe('whom the same manager has removed and invited again', () => {
    const invitedAgain = async (dan: Person, rex: Person): Promise<Person> => {
      await remove(dan, rex);
      const path = `/api/organizations/${dan.user.currentOrgId}/invitations`;
      const { link } = await dan.post<SentInvitation>(path, { email: rex.user.email, role: 'reviewer' });
      // The removal has ended their sessions.
      const again = await logIn(rex.user.email);
      await again.post(`/api/invitations/${link.split('/').at(-1)}/join`);
      return again;
    };

    it('can’t approve either, until they prove their address', async () => {
      const { olga, dan, rex } = await chain();
      for (const each of [olga, dan]) await prove(each);
      const again = await invitedAgain(dan, rex);
      const made = await draft(dan);
      await made.act(dan, 'submit');
      expect(await made.act(again, 'approve')).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
      expect((await made.act(dan, 'merge')).status).toBe(409);
      await prove(again);
      expect((await made.act(again, 'approve')).status).toBe(200);
    });

    it('can’t approve a draft that this manager saved before, even if their address is proved', async () => {
      const { olga, dan, rex } = await chain();
      for (const each of [olga, dan]) await prove(each);
      const made = await draft(dan);
      const again = await invitedAgain(dan, rex);
      await prove(again);
      await made.act(dan, 'submit');
      expect(await made.act(again, 'approve')).toMatchObject({
        status: 409,
        body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'added_after_first_save' }] },
      });
    });
  });

  it('can be replaced by a new one of the same inviter, whom the other manager can confirm', async () => {
    const { olga, dan, rex } = await chain();
    for (const each of [olga, dan]) await prove(each);
    await remove(dan, rex);
    const again = await add(dan, 'reviewer');
    await pass(olga.user.currentOrgId, 8);
    const about = (await olga.get<Confirmation[]>('/api/confirmations')).find(
      ({ subjectId }) => subjectId === again.user.id,
    );
    expect((await olga.call('POST', `/api/confirmations/${about?.id}/confirm`)).status).toBe(200);
  });

  it("can approve while one manager's address isn't proved", async () => {
    const { olga, dan, rex } = await chain();
    await prove(olga);
    const made = await draft(dan);
    await made.act(dan, 'submit');
    expect((await made.act(rex, 'approve')).status).toBe(200);
  });
});

describe('a draft by unproved accounts behind which both managers stand', () => {
  /** Olga invites Dan, and Dan invites an editor, before Dan has proved his address. */
  async function chain() {
    const founder = await found();
    const olga = await add(founder, 'admin');
    await setRole(founder, olga, 'owner');
    await remove(founder, founder);
    await pass(olga.user.currentOrgId, 30);
    const dan = await add(olga, 'admin');
    const rex = await add(dan, 'editor');
    for (const each of [olga, dan]) await prove(each);
    const made = await draft(rex);
    await made.act(rex, 'submit');
    return { olga, dan, made };
  }
  /** Each manager invited one of two editors. Both editors have saved the draft. Olga founded the organization. */
  async function twoEditors(isFounderProved = true) {
    const olga = await found(isFounderProved);
    const dan = await add(olga, 'admin', { mailed: true });
    await pass(olga.user.currentOrgId, 30);
    const [ed, rex] = [await add(olga, 'editor'), await add(dan, 'editor')];
    const made = await draft(rex);
    await ed.patch(made.path, contentTitled('Hiring, corrected'));
    await made.act(rex, 'submit');
    return { olga, dan, made };
  }
  const scenes = [
    ['one account', chain],
    ['two accounts', twoEditors],
    ["two accounts, and the founder's address isn't proved", () => twoEditors(false)],
  ] as const;
  const behind = {
    status: 409,
    body: { code: 'reviewer_not_counted_yet', details: [{ missing: 'behind_the_author' }] },
  };

  it.each(scenes)("can't be approved by one of them alone (%s)", async (_, scene) => {
    const { olga, dan, made } = await scene();
    for (const each of [olga, dan]) {
      const refusal = await made.act(each, 'approve');
      expect(refusal).toMatchObject(behind);
      expect(refusal.body.error).toContain('all but one of you have to edit the draft');
      expect((await made.act(each, 'merge')).status).toBe(409);
      expect((await made.read(each)).blockers).toMatchObject([
        { code: 'needs_approvals', hint: expect.stringContaining('One of them has to edit it') as unknown },
      ]);
    }
  });

  it.each(scenes)('can be approved by one of them once the other has edited it (%s)', async (_, scene) => {
    const { olga, dan, made } = await scene();
    await olga.patch(made.path, contentTitled('Hiring, by Olga'));
    expect((await made.act(olga, 'approve')).status).not.toBe(200);
    expect((await made.act(dan, 'approve')).status).toBe(200);
    expect((await made.act(olga, 'merge')).status).toBe(200);
  });

  it.each(scenes)('can be approved by the only one left, 7 days after the other was removed (%s)', async (_, scene) => {
    const { olga, dan, made } = await scene();
    expect((await remove(olga, dan)).status).toBe(200);
    expect(await made.act(olga, 'approve')).toMatchObject(behind);
    await pass(olga.user.currentOrgId, 8);
    expect((await made.act(olga, 'approve')).status).toBe(200);
    expect((await made.read(olga)).reviews.map(({ marks }) => marks)).toEqual([['self_approved']]);
    expect((await made.act(olga, 'merge')).status).toBe(200);
  });

  it.each(scenes)(
    "keeps the other manager's request for changes while they are a manager, and for 7 days afterwards (%s)",
    async (_, scene) => {
      const { olga, dan, made } = await scene();
      expect((await made.act(dan, 'request-changes', { comment: 'This needs changes' })).status).toBe(200);
      const setAside = () => made.act(olga, `objections/${dan.user.id}/set-aside`, { reason: 'Moved on' });
      expect(await setAside()).toMatchObject(refused(409, 'reviewer_still_here'));
      expect((await setRole(olga, dan, 'viewer')).status).toBe(200);
      expect(await setAside()).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await made.read(olga)).abilities.setAside).toBe(false);
      expect((await made.act(olga, 'approve')).status).not.toBe(200);
      await pass(olga.user.currentOrgId, 8);
      expect((await setAside()).status).toBe(200);
      expect((await made.act(olga, 'approve')).status).toBe(200);
    },
  );

  it.each(scenes)(
    'keeps a request for changes by someone who left, until one of the managers edits it (%s)',
    async (_, scene) => {
      const { olga, dan, made } = await scene();
      const rita = await add(olga, 'reviewer', { mailed: true });
      expect((await made.act(rita, 'request-changes', { comment: 'This needs changes' })).status).toBe(200);
      expect((await remove(olga, rita)).status).toBe(200);
      const setAside = (by: Person) => made.act(by, `objections/${rita.user.id}/set-aside`, { reason: 'Gone' });
      for (const each of [olga, dan])
        expect(await setAside(each)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      await dan.patch(made.path, contentTitled('Hiring, by Dan'));
      expect(await setAside(dan)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await setAside(olga)).status).toBe(200);
    },
  );
});

describe('a draft by accounts that three managers invited', () => {
  it('can be approved by the last of them once the others have edited it, as the hint says', async () => {
    const olga = await found(true);
    const dan = await add(olga, 'admin', { mailed: true });
    const lea = await add(olga, 'admin', { mailed: true });
    await pass(olga.user.currentOrgId, 30);
    const [ed, rex, sue] = [await add(olga, 'editor'), await add(dan, 'editor'), await add(lea, 'editor')];
    const made = await draft(rex);
    await ed.patch(made.path, contentTitled('Hiring, corrected'));
    await sue.patch(made.path, contentTitled('Hiring, corrected again'));
    await made.act(rex, 'submit');
    const hint = 'All but one of them have to edit it, and then the last one can approve it';
    expect((await made.read(olga)).blockers).toMatchObject([
      { code: 'needs_approvals', hint: expect.stringContaining(hint) as unknown },
    ]);
    await olga.patch(made.path, contentTitled('Hiring, by Olga'));
    for (const each of [dan, lea]) {
      const refusal = await made.act(each, 'approve');
      expect(refusal).toMatchObject(refused(409, 'reviewer_not_counted_yet'));
      expect(refusal.body.error).toContain('all but one of you have to edit the draft, and then the last one can');
    }
    await dan.patch(made.path, contentTitled('Hiring, by Dan'));
    expect((await made.act(lea, 'approve')).status).toBe(200);
    expect((await made.act(lea, 'merge')).status).toBe(200);
  });
});

describe("a founder whose address isn't proved, and an admin with a proved address", () => {
  /** Dan, who also becomes an owner, invites an editor with the given address. The editor saves a draft. */
  async function withEditorOf(addressOf: (founder: Person) => string | undefined) {
    const founder = await found();
    const dan = await add(founder, 'admin', { mailed: true });
    await setRole(founder, dan, 'owner');
    await pass(founder.user.currentOrgId, 30);
    const email = addressOf(founder);
    const editor = await add(dan, 'editor', email === undefined ? {} : { email });
    return { founder, dan, editor, made: await draft(editor) };
  }
  /** The founder's own editor corrects the draft. */
  async function twoEditors() {
    const made = await withEditorOf(() => undefined);
    const corrector = await add(made.founder, 'editor');
    await corrector.patch(made.made.path, contentTitled('Hiring, corrected'));
    return made;
  }
  const scenes = [
    ['each invited an editor of the draft', twoEditors],
    ["the admin invited an editor with another address of the founder's mailbox", () => withEditorOf(tagged)],
  ] as const;
  const disable = ({ user }: Person) => server.sql('update users set disabled_at = now() where id = $1', [user.id]);
  const setAside = (by: Person, whose: Person, made: { act: Awaited<ReturnType<typeof draft>>['act'] }) =>
    made.act(by, `objections/${whose.user.id}/set-aside`, { reason: 'Moved on' });

  it.each(scenes)(
    "don't let the admin set aside the founder's request for changes within 7 days (%s)",
    async (_, scene) => {
      const { founder, dan, made } = await scene();
      expect((await made.act(founder, 'request-changes', { comment: 'This needs changes' })).status).toBe(200);
      expect(await setAside(dan, founder, made)).toMatchObject(refused(409, 'reviewer_still_here'));
      expect((await setRole(dan, founder, 'viewer')).status).toBe(200);
      expect(await setAside(dan, founder, made)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await made.act(dan, 'approve')).status).not.toBe(200);
      await pass(dan.user.currentOrgId, 8);
      expect((await setAside(dan, founder, made)).status).toBe(200);
      expect((await made.act(dan, 'approve')).status).toBe(200);
    },
  );

  it.each(scenes)(
    "can't set aside the request of someone who left until one of them has edited the draft (%s)",
    async (_, scene) => {
      const { founder, dan, made } = await scene();
      const rita = await add(founder, 'reviewer', { mailed: true });
      expect((await made.act(rita, 'request-changes', { comment: 'This needs changes' })).status).toBe(200);
      expect((await remove(founder, rita)).status).toBe(200);
      for (const each of [founder, dan])
        expect(await setAside(each, rita, made)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      await dan.patch(made.path, contentTitled('Hiring, by Dan'));
      expect(await setAside(dan, rita, made)).toMatchObject(refused(403, 'contributor_cannot_approve'));
      expect((await setAside(founder, rita, made)).status).toBe(200);
    },
  );

  it.each(scenes)('can make the draft go live, one as an author and the other as a reviewer (%s)', async (_, scene) => {
    for (const who of ['founder', 'dan'] as const) {
      const { founder, dan, made } = await scene();
      const [author, reviewer] = who === 'dan' ? [dan, founder] : [founder, dan];
      await author.patch(made.path, contentTitled('Hiring, once more'));
      expect((await made.act(author, 'approve')).status).not.toBe(200);
      expect((await made.act(reviewer, 'approve')).status).toBe(200);
      expect((await made.act(author, 'merge')).status).toBe(200);
    }
  });

  it.each(scenes)('leave the decision to the admin once the founder is disabled (%s)', async (_, scene) => {
    const { founder, dan, made } = await scene();
    await made.act(founder, 'request-changes', { comment: 'This needs changes' });
    expect((await made.act(dan, 'approve')).status).toBe(409);
    await disable(founder);
    expect((await setAside(dan, founder, made)).status).toBe(200);
    expect((await made.act(dan, 'approve')).status).toBe(200);
    expect((await made.act(dan, 'merge')).status).toBe(200);
  });

  it('can decide alone if both accounts have one mailbox', async () => {
    const founder = await found();
    const own = await add(founder, 'admin', { mailed: true, email: tagged(founder) });
    await pass(founder.user.currentOrgId, 30);
    const made = await draft(await add(founder, 'editor'));
    await (await add(own, 'editor')).patch(made.path, contentTitled('Hiring, corrected'));
    expect((await made.act(own, 'approve')).status).toBe(200);
    expect((await made.act(own, 'merge')).status).toBe(200);
  });
});

it('a founder whose address isn’t proved can decide alone if nobody else can review', async () => {
  const founder = await found();
  const made = await draft(await add(founder, 'editor'));
  expect((await made.act(founder, 'approve')).status).toBe(200);
  expect((await made.read(founder)).reviews.map(({ marks }) => marks)).toEqual([['self_approved']]);
  expect((await made.act(founder, 'merge')).status).toBe(200);
});

describe('a former manager who is a reviewer and possibly the author of a draft', () => {
  /** Olga and Dan each invited an editor of the draft. Dan made Olga a reviewer more than 7 days ago. */
  async function withFormerManager() {
    const olga = await found(true);
    const dan = await add(olga, 'admin', { mailed: true });
    await setRole(olga, dan, 'owner');
    await pass(olga.user.currentOrgId, 30);
    const [ed, rex] = [await add(olga, 'editor'), await add(dan, 'editor')];
    const made = await draft(rex);
    await ed.patch(made.path, contentTitled('Hiring, corrected'));
    await made.act(rex, 'submit');
    expect((await setRole(dan, olga, 'reviewer')).status).toBe(200);
    await pass(olga.user.currentOrgId, 8);
    expect((await made.act(olga, 'request-changes', { comment: 'This needs changes' })).status).toBe(200);
    const setAside = (by: Person) => made.act(by, `objections/${olga.user.id}/set-aside`, { reason: 'I want it live' });
    return { olga, dan, made, setAside };
  }

  it("doesn't lose a request for changes while they can review, even if the manager is possibly the author too", async () => {
    const { dan, made, setAside } = await withFormerManager();
    expect(await setAside(dan)).toMatchObject(refused(409, 'reviewer_still_here'));
    const read = await made.read(dan);
    expect(read).toMatchObject({ objections: [{ abandoned: false }], abilities: { setAside: false } });
    const friend = await add(dan, 'reviewer', { mailed: true });
    await made.act(friend, 'approve');
    expect(await made.act(dan, 'merge')).toMatchObject(refused(409, 'changes_requested'));
  });

  it('can approve once the manager has edited the draft, as the hint says', async () => {
    const { olga, dan, made } = await withFormerManager();
    expect((await made.act(olga, 'approve')).status).toBe(409);
    const { name } = dan.user;
    expect((await made.read(dan)).blockers).toContainEqual(
      expect.objectContaining({
        code: 'needs_approvals',
        hint: expect.stringMatching(new RegExp(`${name}\\S* has to edit it`)) as unknown,
      }),
    );
    await dan.patch(made.path, contentTitled('Hiring, by Dan'));
    expect((await made.act(olga, 'approve')).status).toBe(200);
    expect((await made.act(dan, 'merge')).status).toBe(200);
  });

  it('no longer keeps a draft from going live once they can’t review', async () => {
    const { olga, dan, made, setAside } = await withFormerManager();
    expect((await setRole(dan, olga, 'viewer')).status).toBe(200);
    expect((await setAside(dan)).status).toBe(200);
    expect((await made.act(dan, 'approve')).status).toBe(409);
    await pass(dan.user.currentOrgId, 8);
    expect((await made.act(dan, 'approve')).status).toBe(200);
    expect((await made.act(dan, 'merge')).status).toBe(200);
  });

  it('keeps a request for changes while they can review, even if there is a manager who isn’t an author', async () => {
    const { olga, dan, setAside } = await withFormerManager();
    const lea = await add(dan, 'admin', { mailed: true });
    expect(await setAside(lea)).toMatchObject(refused(409, 'reviewer_still_here'));
    expect((await setRole(lea, olga, 'viewer')).status).toBe(200);
    expect((await setAside(lea)).status).toBe(200);
  });
});

describe('a request for changes', () => {
  it('still applies to the first content after a second request on the same draft', async () => {
    const { mara, rita } = await team();
    const made = await draft(mara, 'First');
    await made.act(rita, 'request-changes', { comment: 'This needs changes' });
    await mara.patch(made.path, contentTitled('Second'));
    await made.act(rita, 'request-changes', { comment: 'This needs changes too' });
    expect((await mara.call('DELETE', made.path, { reason: 'Given up' })).status).toBe(200);
    const again = await draft(mara, 'First');
    expect((await again.read()).objections).toMatchObject([{ reviewer: { id: rita.user.id }, carried: true }]);
  });
});
