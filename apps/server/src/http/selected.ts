import type { OrgActor } from '../kernel/actor.ts';
import { Refused } from '../kernel/refused.ts';

/** The id, where it is that of the selected organization: everything of a tenant is reached through that one, another one is not there. */
export function selected(actor: OrgActor, id: string): string {
  if (id !== actor.orgId) throw new Refused({ code: 'not_found', what: 'organization' });
  return id;
}
