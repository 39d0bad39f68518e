import type { OrgActor } from '../kernel/actor.ts';
import { Refused } from '../kernel/refused.ts';

/** Returns the id if it is that of the selected organization. Refuses any other organization as not found. */
export function selected(actor: OrgActor, id: string): string {
  if (id !== actor.orgId) throw new Refused({ code: 'not_found', what: 'organization' });
  return id;
}
