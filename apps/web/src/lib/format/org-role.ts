import type { OrgRole } from '@stet/domain/access';

/** The name of a member's role and what it permits (rulings, section 3). */
export const ORG_ROLE_WORDS = {
  owner: { word: 'Owner', about: 'Everything, and making other owners' },
  admin: { word: 'Admin', about: 'Everything, members and policies included' },
  editor: { word: 'Editor', about: 'Writes workflows and starts runs' },
  reviewer: { word: 'Reviewer', about: 'Reviews, approves and starts runs' },
  viewer: { word: 'Viewer', about: 'Sees workflows and runs' },
} satisfies Record<OrgRole, { word: string; about: string }>;

export const roleWord = (role: OrgRole): string => ORG_ROLE_WORDS[role].word;
