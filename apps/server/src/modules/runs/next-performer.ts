import { assignedGroup, isEmail, spellingsOf } from '@stet/domain/access';
import type { HandedTo } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findNextGroup, findNextPerson } from './claims.sql.ts';

/**
 * A person or group to whom a step can be handed over. `alsoIds` are the other people who count as having done the
 * person's actions. Steps can also name a person by `formerEmails`. Both are empty for a group.
 */
export type NextPerformer = { to: HandedTo; alsoIds: readonly string[]; formerEmails: readonly string[] };

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Finds the member or group in `to` (a member's id or address, or `group:` and a slug), and locks the group, or the
 * membership and the account. The caller hasn't locked the run yet. Refusals of unknown people, disabled accounts, and
 * unknown or empty groups are returned instead of thrown, so that the caller can refuse an unknown run first. Refusals
 * name the request's `field`.
 */
export async function findNextPerformer(
  tx: Tx,
  orgId: string,
  to: string,
  field = 'to',
): Promise<NextPerformer | Refused> {
  const refused = (problem: string): Refused => new Refused({ code: 'invalid', problems: [{ field, problem }] });
  const slug = assignedGroup(to);
  if (slug !== null) {
    const group = await tx.maybeOne(findNextGroup, { orgId, slug });
    if (!group) return refused(`There is no group ${slug}`);
    if (!group.has_members) return refused(`Nobody belongs to the group ${group.name}`);
    return { to: { kind: 'group', slug, name: group.name }, alsoIds: [], formerEmails: [] };
  }
  const id = UUID.test(to) ? to : null;
  const person = await tx.maybeOne(findNextPerson, { orgId, id, emails: isEmail(to) ? spellingsOf(to) : [] });
  if (!person) return refused('This person is not a member of the organization');
  const { also, former_emails: formerEmails, is_disabled: isDisabled, ...found } = person;
  if (isDisabled) return refused(`The account of ${found.name} is disabled`);
  return { to: { kind: 'person', ...found }, alsoIds: also, formerEmails };
}
