import { type Letter, nameInMail } from '../../kernel/mail.ts';

/** Maximum number of items in an email. The others are in the list behind the bell. */
export const MAX_ITEMS = 100;

type Digest = {
  id: string;
  name: string;
  email: string;
  organization: string;
  items: readonly { title: string; body: string; url: string }[];
  publicUrl: string;
};

/** The daily email with the notifications collected for a person. */
export function digestLetter({ id, email, items, publicUrl, ...names }: Digest): Letter {
  const name = nameInMail(names.name);
  const organization = nameInMail(names.organization);
  const rest = items.length - MAX_ITEMS;
  return {
    id,
    to: { name, address: email },
    subject: `${digestTitle(items.length)}: ${organization}`,
    greeting: `Hello ${name},`,
    paragraphs: [
      `Your notifications in ${organization} since the last digest, oldest first.`,
      ...(rest > 0
        ? [`The first ${MAX_ITEMS} are listed below; ${rest} more ${rest === 1 ? 'is' : 'are'} in Stet.`]
        : []),
    ],
    items: items
      .slice(0, MAX_ITEMS)
      .map(({ title, body, url }) => ({ title: nameInMail(title), body: nameInMail(body), url })),
    action: { label: 'Open Stet', url: `${publicUrl}/app` },
    footnote: `You received this email because you chose a daily digest. Change your choice here: ${publicUrl}/app/settings/notifications`,
  };
}

const digestTitle = (count: number): string => `Daily digest, ${count === 1 ? '1 item' : `${count} items`}`;
