import type { OrgRole } from '@stet/domain/access';

export type CastMember = { name: string; email: string; role: OrgRole };

export const TEAM = { name: 'Halden Works', slug: 'halden-works' } as const;

/** Everyone's password. It is printed at every start, because a demo has no secrets. */
export const PASSWORD = 'let-it-stand';

/** The people of Halden Works. The owner founds the team. */
export const CAST = {
  mara: { name: 'Mara Lindqvist', email: 'mara.lindqvist@haldenworks.example', role: 'owner' },
  tomas: { name: 'Tomás Oliveira', email: 'tomas.oliveira@haldenworks.example', role: 'admin' },
  priya: { name: 'Priya Nair', email: 'priya.nair@haldenworks.example', role: 'editor' },
  sam: { name: 'Sam Okafor', email: 'sam.okafor@haldenworks.example', role: 'editor' },
  jonas: { name: 'Jonas Weber', email: 'jonas.weber@haldenworks.example', role: 'reviewer' },
  ellen: { name: 'Ellen Park', email: 'ellen.park@haldenworks.example', role: 'reviewer' },
  greta: { name: 'Greta Holm', email: 'greta.holm@haldenworks.example', role: 'viewer' },
} as const satisfies Record<string, CastMember>;

export type Who = keyof typeof CAST;
export const EVERYONE = Object.keys(CAST) as readonly Who[];

/**
 * A person with an empty personal account. An installation with this account is recognized as a demo.
 */
export const NEWCOMER = { name: 'Noor Haddad', email: 'noor@haddad.example' } as const;
