import type { Group } from '@stet/contract';
import { type OrgActor, auditActor } from '../../kernel/actor.ts';
import type { EventOf } from '../../kernel/recorded-event.ts';
import type { GroupRow, PersonRow } from './groups.sql.ts';

export const subject = (id: string) => ({ type: 'group' as const, id });

type Changed = {
  before?: { name: string };
  after?: { name: string };
  added?: readonly PersonRow[];
  addedBy?: readonly string[];
  addedAt?: string;
  removed?: readonly PersonRow[];
  /** Set if the person's membership in the organization ended. */
  because?: 'member_left' | 'member_removed';
  /** Set if a second manager confirmed the change. */
  proposedBy?: string;
  proposedAt?: string;
  note?: string;
};

/** Creates the event about a changed group. `about` is only for notifications. */
export function groupChanged(
  actor: OrgActor,
  { id, slug, name }: Pick<GroupRow, 'id' | 'slug' | 'name'>,
  changed: Changed,
  about: Pick<EventOf<'group.changed'>['context'], 'alone' | 'left'> = {},
): EventOf<'group.changed'> {
  const idsOf = (people: readonly PersonRow[] = []) => people.map((person) => person.id);
  return {
    ...auditActor(actor),
    action: 'group.changed',
    subject: subject(id),
    data: { slug, name, ...changed },
    context: {
      name: changed.after?.name ?? name,
      added: idsOf(changed.added),
      removed: changed.because === undefined ? idsOf(changed.removed) : [],
      ...about,
    },
  };
}

export const presentGroup = ({ id, slug, name, members, removals }: GroupRow): Group => ({
  id,
  slug,
  name,
  members,
  pendingRemovals: removals.flatMap(({ removed, by, at }) => {
    const waiting = removed.map((person) => person.id).filter((person) => members.includes(person));
    return waiting.length === 0 ? [] : [{ members: waiting, proposedBy: by, proposedAt: new Date(at).toISOString() }];
  }),
});
