/** Global roles; they apply only without an organization role (specification, section 6). */
export const ROLES = ['editor', 'reviewer', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Roles of a member in one organization, from most to fewest permissions (specification, section 6). */
export const ORG_ROLES = ['owner', 'admin', 'editor', 'reviewer', 'viewer'] as const;
export type OrgRole = (typeof ORG_ROLES)[number];
