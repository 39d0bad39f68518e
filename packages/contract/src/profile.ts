import { z } from 'zod';
import { email, fullName, organizationName, organizationSlug, password, user } from './accounts.ts';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, person } from './shared.ts';
import { member } from './organizations.ts';
import { ORG_ROLES } from '@stet/domain/access';
import { SIMULATED_STEPS_POLICIES } from '@stet/domain/drafts';

const orgParams = z.strictObject({ id });
const memberParams = orgParams.extend({ userId: id });

const approvals = z.number().int().min(0).max(20);

export const organizationSettings = z.object({
  id,
  name: z.string(),
  type: z.enum(['individual', 'team']),
  slug: z.string().nullable(),
  requiredApprovals: z.number().int(),
  /** Marked approvals and self-approvals never count. */
  strict: z.boolean(),
  /** Whether editors may help on manual steps that name someone else. */
  editorsMayHelp: z.boolean(),
  /** Whether a version with simulated steps may go live. */
  simulatedSteps: z.enum(SIMULATED_STEPS_POLICIES),
  /** While that is refused: the live workflows that have such steps all the same. Their runs go on. */
  simulatedWorkflows: z.array(z.object({ key: z.string(), title: z.string() })),
  /** A lowering that another owner or admin has to confirm; until then `requiredApprovals` stands. */
  pendingPolicy: z.object({ requiredApprovals: z.number().int(), proposedBy: person, proposedAt: moment }).nullable(),
  createdAt: moment,
});
export type OrganizationSettings = z.infer<typeof organizationSettings>;

/** A session of the signed-in user; `current` is the one that asks. */
const sessionRecord = z.object({
  id,
  createdAt: moment,
  lastSeenAt: moment,
  /** What the browser said of itself, such as `Firefox on Linux`; empty where it said nothing that is known. */
  device: z.string(),
  current: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

/** Passwords, profile and sessions of a person; organizations and their members (rulings, sections 2 and 3). */
export const profileRoutes = {
  'POST /api/auth/reset-request': {
    access: 'public',
    summary: 'Ask for a link that sets a new password; the answer never tells whether there is an account',
    body: z.strictObject({ email }),
    ok: message,
    rateLimit: { name: 'reset-request', perAddress: 30, perAccount: 5, windowSeconds: HOUR },
  },
  'POST /api/auth/reset': {
    access: 'public',
    summary: 'Set a new password by the mailed token; ends all sessions of that user',
    body: z.strictObject({ token: z.string().min(1).max(1000), password }),
    ok: message,
    rateLimit: { name: 'reset', perAddress: 60, perAccount: 10, windowSeconds: HOUR },
  },
  'GET /api/auth/slug': {
    access: 'public',
    summary: 'Whether an organization URL prefix is free',
    query: z.strictObject({ slug: z.string().max(100) }),
    ok: z.object({ available: z.boolean() }),
    // It is asked while one types.
    rateLimit: { name: 'slug', perAddress: 300, windowSeconds: HOUR / 6 },
  },
  'PATCH /api/users/me': {
    access: 'session',
    summary: 'Change one’s name',
    body: z.strictObject({ name: fullName }),
    ok: user,
  },
  'POST /api/users/me/password': {
    access: 'session',
    summary: 'Change one’s password; ends all other sessions',
    body: z.strictObject({ currentPassword: z.string().max(1000), password }),
    ok: message,
    rateLimit: { name: 'password', perAddress: 60, perAccount: 10, windowSeconds: HOUR / 4 },
  },
  'GET /api/users/me/sessions': { access: 'session', summary: 'Where one is signed in', ok: z.array(sessionRecord) },
  'DELETE /api/users/me/sessions/{id}': {
    access: 'session',
    summary: 'Sign out one of one’s sessions',
    params: orgParams,
    ok: message,
  },
  'POST /api/organizations': {
    access: 'session',
    summary: 'Create a team and select it',
    body: z.strictObject({ name: organizationName, slug: organizationSlug }),
    ok: user,
    rateLimit: { name: 'organization', perAddress: 60, perAccount: 30, windowSeconds: HOUR },
    status: 201,
  },
  'GET /api/organizations/{id}': {
    access: 'workflow.read',
    summary: 'The selected organization and its policies',
    params: orgParams,
    ok: organizationSettings,
  },
  'PATCH /api/organizations/{id}': {
    access: 'org.manage',
    summary:
      'Change name or policies of the organization; fewer required approvals wait for a second owner or admin where there is one',
    params: orgParams,
    body: z.strictObject({
      name: organizationName.optional(),
      requiredApprovals: approvals.optional(),
      strict: z.boolean().optional(),
      editorsMayHelp: z.boolean().optional(),
      simulatedSteps: z.enum(SIMULATED_STEPS_POLICIES).optional(),
    }),
    ok: organizationSettings,
  },
  'POST /api/organizations/{id}/policy-change/confirm': {
    access: 'org.manage',
    summary: 'Confirm the fewer required approvals that another owner or admin proposed',
    params: orgParams,
    body: z
      .strictObject({
        requiredApprovals: approvals.optional().describe('What one was shown; where another change waits by now, 409'),
      })
      .optional(),
    ok: organizationSettings,
  },
  'DELETE /api/organizations/{id}/policy-change': {
    access: 'org.manage',
    summary: 'Refuse the proposed change of the required approvals, or withdraw one’s own',
    params: orgParams,
    ok: organizationSettings,
  },
  'PATCH /api/organizations/{id}/users/{userId}': {
    access: 'org.manage',
    summary: 'Change a member’s role; the last owner keeps theirs',
    params: memberParams,
    body: z.strictObject({ role: z.enum(ORG_ROLES) }),
    ok: member,
  },
  'DELETE /api/organizations/{id}/users/{userId}': {
    access: 'workflow.read',
    tokens: 'none',
    summary:
      'Remove a member, or leave; the last owner can’t. The organization tokens that they made end, or are taken over',
    params: memberParams,
    body: z.strictObject({ takeOverTokens: z.boolean().optional() }).optional(),
    ok: message,
  },
} satisfies Routes;
