import { assignedOrgRole } from '@stet/domain/access';
import { roleWord } from '../../../lib/format/org-role.ts';

/** A role as a word. Addresses and other texts stay as they are. */
export function assigneeWord(name: string): string {
  const role = name.includes('@') ? null : assignedOrgRole(name);
  return role ? roleWord(role) : name;
}
