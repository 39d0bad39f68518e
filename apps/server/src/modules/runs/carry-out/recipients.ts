import { ORG_ROLES } from '@stet/domain/access';
import { assignedOrgRole, isEmail } from '@stet/domain/workflows';

export type Member = { id: string; email: string; name: string; role: string };
export type Addressee = { email: string; name: string; userId: string | null };

/** What a step's recipients name: e-mails in lower case, roles, and what is neither. */
export function namedRecipients(recipients: readonly string[]): {
  emails: string[];
  roles: string[];
  unknown: string[];
} {
  const named = [...new Set(recipients.map((text) => text.trim()).filter((text) => text !== ''))];
  const roles = new Set(named.flatMap((text) => assignedOrgRole(text) ?? []));
  const others = named.filter((text) => assignedOrgRole(text) === null);
  return {
    emails: [...new Set(others.filter(isEmail).map((text) => text.toLowerCase()))],
    roles: ORG_ROLES.filter((role) => roles.has(role)),
    unknown: others.filter((text) => !isEmail(text)),
  };
}

/** Everyone once: the members that were found, and the e-mails that are no member's. */
export function addresseesOf(emails: readonly string[], members: readonly Member[]): Addressee[] {
  const known = new Set(members.map(({ email }) => email));
  return [
    ...members.map(({ id, email, name }) => ({ userId: id, email, name })),
    ...emails.filter((email) => !known.has(email)).map((email) => ({ userId: null, email, name: email })),
  ];
}
