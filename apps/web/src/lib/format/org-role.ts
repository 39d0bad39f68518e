import type { OrgRole } from '@stet/domain/access';

/** The name of each member role, and its permissions in a few words. */
export const ORG_ROLE_WORDS = {
  owner: { word: 'Owner', about: 'Full access, including adding owners' },
  admin: { word: 'Admin', about: 'Full access, including members and policies' },
  editor: { word: 'Editor', about: 'Can write workflows and start runs' },
  reviewer: { word: 'Reviewer', about: 'Can review, approve and start runs' },
  viewer: { word: 'Viewer', about: 'Can view workflows and runs' },
} satisfies Record<OrgRole, { word: string; about: string }>;

export const roleWord = (role: OrgRole): string => ORG_ROLE_WORDS[role].word;
