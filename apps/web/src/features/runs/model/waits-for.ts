import { assignedOrgRole } from '@stet/domain/access';
import { roleWord } from '../../../lib/format/org-role.ts';

/** A role in words. Other text, such as an address, is returned unchanged. */
export function assigneeWord(name: string): string {
  const role = name.includes('@') ? null : assignedOrgRole(name);
  return role ? roleWord(role) : name;
}
