import type { User } from '@stet/contract';
import { api } from '../../../lib/api/api.ts';
import { announceSwitch } from '../../../lib/session/selected-organization.ts';

/** Selects a different organization, notifies this browser's other tabs, and returns the updated user. */
export async function switchOrganization(organizationId: string): Promise<User> {
  const user = await api('POST /api/users/switch-organization', { body: { organizationId } });
  announceSwitch();
  return user;
}
