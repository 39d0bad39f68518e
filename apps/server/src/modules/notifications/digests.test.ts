import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { linkIn } from '../../testing/mailbox.ts';
import { joinOrganization } from '../../testing/organization.ts';
import type { Person } from '../../testing/server.ts';
import { startPreferencesScene } from '../../testing/preferences-scene.ts';

const scene = await startPreferencesScene();
const { one, lastKey, pick, submitted, mails, subjectsTo, quiet, dayPasses, digests } = scene;

describe('with notification preferences,', () => {
  let owner: Person;
  let editor: Person;
  let reviewer: Person;
  let orgId: string;
  beforeEach(async () => {
    ({ owner, editor, reviewer, orgId } = await scene.reset());
  });
  afterAll(() => scene.stop());

  describe('the daily digest', () => {
    it("contains a day's items in one email with links, and is sent once even if several nodes check", async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await pick(reviewer, 'mentions', 'email', 'daily');
      const draftId = await submitted('First to review');
      const key = lastKey();
      await submitted('Second to review');
      await editor.post(`/api/workflows/${key}/drafts/${draftId}/comments`, {
        body: `@${reviewer.user.email} what do you think?`,
      });
      await quiet();
      expect(await subjectsTo(reviewer)).toEqual([]);
      // The list showed the items immediately. The request and the comment about the first draft are one entry.
      expect(await reviewer.get('/api/notifications/count')).toEqual({ unread: 2 });

      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toEqual([]);

      await dayPasses();
      await digests();
      await quiet();
      await digests();
      await quiet();
      const sent = (await mails()).filter(({ to }) => to.includes(reviewer.user.email));
      expect(sent.map(({ headers }) => headers.get('subject'))).toEqual([
        expect.stringMatching(/^Daily digest, 3 items: Team /),
      ]);
      const [mail] = sent;
      if (!mail) throw new Error('no digest');
      expect(linkIn(mail, '/app/review')).toContain(draftId);
      const links = [...mail.text.matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url).pathname);
      expect([...new Set(links)].toSorted()).toEqual(['/app', '/app/review', '/app/settings/notifications']);
      expect(mail.text).toMatch(/First to review[^]*Second to review[^]*First to review[^]*what do you\s+think\?/);
      expect(mail.headers.get('message-id')).toMatch(/^<[\da-f-]{36}@stet>$/);
    });

    it('doesn’t contain items that arrive after it was sent, which are in the next day’s digest', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await submitted('Early');
      await dayPasses();
      await digests();
      await quiet();
      await submitted('Late');
      await one.sql(
        `update notifications set created_at = now() - interval '1 day' where org_id = $1 and title = 'Late'`,
        [orgId],
      );
      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(1);
      await one.sql(`update digests set day = day - 1 where org_id = $1`, [orgId]);
      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(2);
      expect(
        (await mails()).filter(({ to, text }) => to.includes(reviewer.user.email) && text.includes('Late')),
      ).toHaveLength(1);
    });

    it('isn’t sent without items, to former members, or about kinds that were turned off later', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await pick(owner, 'review_requests', 'email', 'daily');
      const admin = await one.signUp({ name: 'Ann' });
      await joinOrganization(one, admin, orgId, 'admin');
      await pick(admin, 'review_requests', 'email', 'daily');
      await submitted('For three');
      await pick(owner, 'review_requests', 'email', 'off');
      await one.sql('delete from memberships where org_id = $1 and user_id = $2', [orgId, admin.user.id]);
      await dayPasses();
      await digests();
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(1);
      for (const who of [owner, admin, editor]) expect(await subjectsTo(who)).toEqual([]);
      expect(await one.sql('select from digests where org_id = $1', [orgId])).toHaveLength(1);
    });

    it('is sent by another node if the sending node has died', async () => {
      await pick(reviewer, 'review_requests', 'email', 'daily');
      await submitted('Interrupted');
      await dayPasses();
      // The digest is in the state of a node that was killed while sending it.
      await one.sql(
        `create function die() returns trigger language plpgsql as $$ begin
           if new.org_id = '${orgId}' then new.state := 'sending'; new.claim := gen_random_uuid(); new.claimed_at := now(); end if;
           return new; end $$`,
      );
      await one.sql('create trigger die before insert on digests for each row execute function die()');
      await digests();
      await one.sql('drop trigger die on digests');
      await quiet();
      expect(await subjectsTo(reviewer)).toEqual([]);
      await one.sql(`update digests set claimed_at = now() - interval '1 hour' where org_id = $1`, [orgId]);
      await one.sql(`update outbox set run_at = now() - interval '1 second' where task = 'send_digest'`);
      await quiet();
      expect(await subjectsTo(reviewer)).toHaveLength(1);
      expect(await one.sql('select state from digests where org_id = $1', [orgId])).toEqual([{ state: 'sent' }]);
    });
  });
});
