import type { Tx } from '../../kernel/database.ts';
import { noticeLink } from '../../kernel/notice-link.ts';
import type { SlackMessage } from '../../kernel/slack.ts';
import { findNewsToTell, listDigestToTell } from './slack.sql.ts';
import { digestMessage, textMessage } from './step-message.ts';

type ForOne = { assignee: string; title: string; workflow: string; isPrivate: true; to: () => SlackMessage };

/** What one person is told of, or what was held back for them; undefined where there is nothing to say any more. */
export async function newsWording(
  tx: Tx,
  publicUrl: string,
  orgId: string,
  { kind, userId, id }: { kind: 'news' | 'digest'; userId: string; id: string },
): Promise<ForOne | undefined> {
  if (kind === 'news') {
    const found = await tx.maybeOne(findNewsToTell, { orgId, userId, id });
    if (!found) return undefined;
    const { email: assignee, title, body: text } = found;
    const link = noticeLink(publicUrl, found);
    return { assignee, title, workflow: '', isPrivate: true, to: () => textMessage({ title, text, link }) };
  }
  const items = await tx.many(listDigestToTell, { orgId, userId, id });
  const [first] = items;
  if (!first) return undefined;
  const links = items.map(({ title, ...about }) => ({ title, url: noticeLink(publicUrl, about) }));
  const to = () => digestMessage({ items: links, link: `${publicUrl}/app` });
  return { assignee: first.email, title: 'Daily digest', workflow: '', isPrivate: true, to };
}
