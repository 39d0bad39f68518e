import { z } from 'zod';
import { fullName, organizationName, organizationSlug, password, typedEmail, user } from './accounts.ts';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, person } from './shared.ts';
import { member } from './organizations.ts';
import { ORG_ROLES } from '@stet/domain/access';
import { PASSWORD_MINIMUM, PASSWORD_MINIMUM_LIMIT } from '@stet/domain/defaults';
import { SIMULATED_STEPS_POLICIES } from '@stet/domain/drafts';

const orgParams = z.strictObject({ id });
const memberParams = orgParams.extend({ userId: id });
/** The number of the member's pending invitations that were revoked, because they may no longer invite people. */
const revokedInvitations = z.number().int();

/** Returns the schema of a whole number within inclusive bounds. */
const wholeNumber = (least: number, most: number) => {
  const words = `must be a whole number from ${least} to ${most}`;
  return z.number(words).int(words).min(least, words).max(most, words);
};
const approvals = wholeNumber(0, 20);

export const organizationSettings = z.object({
  id,
  name: z.string(),
  type: z.enum(['individual', 'team']),
  slug: z.string().nullable(),
  requiredApprovals: z.number().int(),
  /** Marked approvals and self-approvals never count. */
  strict: z.boolean(),
  /** Whether comments on a draft must be resolved before it can be merged. */
  resolvedComments: z.boolean(),
  /** Minimum length of a new password, in characters. */
  passwordMinimum: z.number().int(),
  /** Whether editors may help on manual steps that name someone else. */
  editorsMayHelp: z.boolean(),
  /** Whether a version with simulated steps may go live. */
  simulatedSteps: z.enum(SIMULATED_STEPS_POLICIES),
  /** Live workflows with simulated steps, listed while the policy refuses such steps. Their runs continue. */
  simulatedWorkflows: z.array(z.object({ key: z.string(), title: z.string() })),
  /** A proposed lower number of approvals; `requiredApprovals` applies until another owner or admin confirms it. */
  pendingPolicy: z.object({ requiredApprovals: z.number().int(), proposedBy: person, proposedAt: moment }).nullable(),
  /** A proposal to turn strict review off, which a second manager must confirm. */
  pendingStrictOff: z.object({ proposedBy: person, proposedAt: moment }).nullable(),
  createdAt: moment,
});
export type OrganizationSettings = z.infer<typeof organizationSettings>;

/** A session of the signed-in user; `current` marks the session of this request. */
const sessionRecord = z.object({
  id,
  createdAt: moment,
  lastSeenAt: moment,
  /** The browser and operating system, for example `Firefox on Linux`; empty if the user agent is unknown. */
  device: z.string(),
  current: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecord>;

/** Passwords, profile and sessions of a person; organizations and their members. */
export const profileRoutes = {
  'POST /api/auth/reset-request': {
    access: 'public',
    summary: 'Request a password reset link; the response doesn’t reveal whether the account exists',
    body: z.strictObject({ email: typedEmail }),
    ok: message,
    rateLimit: { name: 'reset-request', perAddress: 30, perAccount: 5, windowSeconds: HOUR },
  },
  'POST /api/auth/reset': {
    access: 'public',
    summary: 'Set a new password with the emailed token; ends all sessions of the user',
    body: z.strictObject({ token: z.string().min(1).max(1000), password }),
    ok: message,
    rateLimit: { name: 'reset', perAddress: 60, perAccount: 10, windowSeconds: HOUR },
  },
  'GET /api/auth/slug': {
    access: 'public',
    summary: 'Whether an organization URL prefix is free',
    query: z.strictObject({ slug: z.string().max(100) }),
    ok: z.object({ available: z.boolean() }),
    // The form calls this while the user types.
    rateLimit: { name: 'slug', perAddress: 300, windowSeconds: HOUR / 6 },
  },
  'PATCH /api/users/me': {
    access: 'session',
    summary: 'Change the user’s name',
    body: z.strictObject({ name: fullName }),
    ok: user,
  },
  'POST /api/users/me/password': {
    access: 'session',
    summary: 'Change the user’s password; ends all other sessions',
    body: z.strictObject({
      currentPassword: z.string().max(1000),
      password,
      endTokens: z
        .boolean()
        .default(false)
        .describe('Also revokes the user’s personal API tokens in every organization'),
    }),
    ok: message,
    rateLimit: { name: 'password', perAddress: 60, perAccount: 10, windowSeconds: HOUR / 4 },
  },
  'GET /api/users/me/sessions': { access: 'session', summary: 'The user’s sessions', ok: z.array(sessionRecord) },
  'DELETE /api/users/me/sessions/{id}': {
    access: 'session',
    summary: 'End one of the user’s sessions',
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
      'Change the organization’s name or policies; lowering the required approvals needs confirmation by a second owner or admin, if there is one',
    params: orgParams,
    body: z.strictObject({
      name: organizationName.optional(),
      requiredApprovals: approvals.optional(),
      strict: z.boolean().optional(),
      resolvedComments: z.boolean().optional(),
      passwordMinimum: wholeNumber(PASSWORD_MINIMUM, PASSWORD_MINIMUM_LIMIT).optional(),
      editorsMayHelp: z.boolean().optional(),
      simulatedSteps: z.enum(SIMULATED_STEPS_POLICIES).optional(),
    }),
    ok: organizationSettings,
  },
  'POST /api/organizations/{id}/policy-change/confirm': {
    access: 'org.manage',
    summary: 'Confirm the lower number of required approvals that another owner or admin proposed',
    params: orgParams,
    body: z
      .strictObject({
        requiredApprovals: approvals
          .optional()
          .describe('The number that the caller saw; 409 if a different change is pending now'),
      })
      .optional(),
    ok: organizationSettings,
  },
  'DELETE /api/organizations/{id}/policy-change': {
    access: 'org.manage',
    summary: 'Refuse the proposed number of required approvals, or withdraw the caller’s own proposal',
    params: orgParams,
    ok: organizationSettings,
  },
  'PATCH /api/organizations/{id}/users/{userId}': {
    access: 'org.manage',
    summary: 'Change a member’s role; the last owner can’t lose theirs',
    params: memberParams,
    body: z.strictObject({ role: z.enum(ORG_ROLES) }),
    ok: member.extend({ revokedInvitations }),
  },
  'GET /api/organizations/{id}/users/{userId}/steps': {
    access: 'org.manage',
    summary: 'The steps of open runs that a member claimed or that were handed over to them, counted by workflow',
    params: memberParams,
    ok: z.array(
      z.object({
        key: z.string(),
        title: z.string(),
        steps: z.number().int().describe('Manual steps'),
        approvals: z
          .number()
          .int()
          .describe('Approvals that were handed over to them; they return to those who gave them'),
      }),
    ),
  },
  'DELETE /api/organizations/{id}/users/{userId}': {
    access: 'workflow.read',
    tokens: 'none',
    summary:
      'Remove a member, or leave; the last owner can’t. The organization tokens that they are responsible for are revoked or transferred, and the steps that they have are released or handed over',
    params: memberParams,
    body: z
      .strictObject({
        takeOverTokens: z.boolean().optional(),
        handOver: z
          .strictObject({
            to: z
              .string()
              .trim()
              .min(1, 'Choose a person or group')
              .max(320)
              .describe('A member’s id or address, or a group, for example `group:finance`'),
            reason: z.string().trim().min(1, 'Enter a reason').max(2000).optional().describe('By default, `Ann left`'),
          })
          .optional()
          .describe(
            'Who gets the manual steps that they claimed or that were handed over to them. Without it, and for approvals, the steps are released',
          ),
      })
      .optional(),
    ok: message.extend({ revokedInvitations }),
  },
} satisfies Routes;
