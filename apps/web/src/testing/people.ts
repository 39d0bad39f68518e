import type { Invitation, Member, OrganizationSettings, PendingInvitation, SessionRecord, User } from '@stet/contract';
import { aUser } from './records.ts';

const TEAM = '0199aaaa-0000-7000-8000-00000000000a';
const OTHER_TEAM = '0199aaaa-0000-7000-8000-00000000000c';
const EVERYTHING: User['orgPermissions'] = [
  'workflow.read',
  'draft.edit',
  'draft.comment',
  'draft.review',
  'draft.merge',
  'run.start',
  'run.control',
  'run.note',
  'audit.export',
  'org.manage',
];

const HALDEN: User['organizations'][number] = {
  id: TEAM,
  name: 'Halden Works',
  type: 'team',
  slug: 'halden-works',
  role: 'owner',
};
const NORD: User['organizations'][number] = {
  id: OTHER_TEAM,
  name: 'Nordlicht',
  type: 'team',
  slug: 'nordlicht',
  role: 'viewer',
};

/** An owner of Halden Works and viewer of Nordlicht, with Halden Works selected. */
export function anOwner(change: Partial<User> = {}): User {
  return aUser({ orgRole: 'owner', orgPermissions: EVERYTHING, organizations: [HALDEN, NORD], ...change });
}

/** The same person after Halden Works was renamed. */
export const anOwnerOf = (name: string): User => anOwner({ organizations: [{ ...HALDEN, name }, NORD] });

/** The same person with Nordlicht selected. */
export const inNordlicht = (user: User): User => ({
  ...user,
  currentOrgId: OTHER_TEAM,
  orgRole: 'viewer',
  orgPermissions: ['workflow.read'],
});

const personOf = ({ id, name, email }: User) => ({ id, name, email });

export function members(): Member[] {
  return [
    { ...personOf(anOwner()), role: 'owner', provedBy: 'mailbox', addedBy: null, confirmedBy: null },
    {
      id: '0199aaaa-0000-7000-8000-000000000002',
      name: 'Sam Okafor',
      email: 'sam@haldenworks.example',
      role: 'editor',
      provedBy: 'mailbox',
      addedBy: personOf(anOwner()),
      confirmedBy: null,
    },
  ];
}

export function aPendingInvitation(change: Partial<PendingInvitation> = {}): PendingInvitation {
  return {
    id: '0199aaaa-0000-7000-8000-0000000000f1',
    email: 'greta.holm@haldenworks.example',
    role: 'reviewer',
    invitedBy: personOf(anOwner()),
    createdAt: '2026-11-20T12:00:00.000Z',
    expiresAt: '2026-11-27T12:00:00.000Z',
    expired: false,
    link: 'https://stet.example/invite/abcdefghijklmnopqrstuvwxyz',
    ...change,
  };
}

export function anInvitation(change: Partial<Invitation> = {}): Invitation {
  return {
    email: 'greta.holm@haldenworks.example',
    role: 'reviewer',
    organization: { id: TEAM, name: 'Halden Works', slug: 'halden-works' },
    invitedBy: 'Priya Nair',
    status: 'pending',
    expiresAt: '2026-11-27T12:00:00.000Z',
    ...change,
  };
}

export function organizationSettings(change: Partial<OrganizationSettings> = {}): OrganizationSettings {
  return {
    id: TEAM,
    name: 'Halden Works',
    type: 'team',
    slug: 'halden-works',
    requiredApprovals: 1,
    passwordMinimum: 6,
    strict: false,
    resolvedComments: false,
    editorsMayHelp: true,
    simulatedSteps: 'allowed',
    simulatedWorkflows: [],
    pendingPolicy: null,
    pendingStrictOff: null,
    createdAt: '2026-01-05T08:00:00.000Z',
    ...change,
  };
}

export function sessions(): SessionRecord[] {
  const base = { createdAt: '2026-11-20T08:00:00.000Z', lastSeenAt: '2026-11-20T14:00:00.000Z' };
  return [
    { ...base, id: '0199aaaa-0000-7000-8000-0000000000e1', device: 'Firefox on Linux', current: true },
    { ...base, id: '0199aaaa-0000-7000-8000-0000000000e2', device: 'Safari on iPhone', current: false },
  ];
}
