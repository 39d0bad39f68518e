import { assignedGroup, isEmail, spellingsOf } from '@stet/domain/access';
import type { HandedTo } from '@stet/domain/runs';
import type { Tx } from '../../kernel/database.ts';
import { Refused } from '../../kernel/refused.ts';
import { findNextGroup, findNextPerson } from './claims.sql.ts';

/** Someone to whom a step can be handed over. `alsoIds`: the other people who count as having done their actions. */
export type NextPerformer = { to: HandedTo; alsoIds: readonly string[] };

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Finds the member or group in `to` (a member's id or address, or `group:` and a slug), and locks the membership or the
 * group. The caller has locked no run. Returns the refusal of someone who isn't a member or whose account is disabled,
 * and of an unknown or empty group, because an unknown run is refused first.
 * `field` is the request's field with `to`.
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
    return { to: { kind: 'group', slug, name: group.name }, alsoIds: [] };
  }
  const id = UUID.test(to) ? to : null;
  const person = await tx.maybeOne(findNextPerson, { orgId, id, emails: isEmail(to) ? spellingsOf(to) : [] });
  if (!person) return refused('This person is not a member of the organization');
  const { also, is_disabled: isDisabled, ...found } = person;
  if (isDisabled) return refused(`The account of ${found.name} is disabled`);
  return { to: { kind: 'person', ...found }, alsoIds: also };
}
