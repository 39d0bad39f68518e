import { ORG_ROLES } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, message, moment } from './shared.ts';

/** A page of the entries whose name, email address or URL prefix contains `q`, in any case. */
const page = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: id.optional(),
  q: z.string().trim().max(100).optional(),
});
const number = z.number().int();

const installation = z.object({
  version: z.string(),
  commit: z.string().nullable(),
  /** The last migration of the database. */
  schema: z.string(),
  /** Who can sign up without an invitation. */
  signUp: z.enum(['open', 'closed', 'domains']),
  /** The domains whose addresses can sign up, if `signUp` is `domains`. */
  signUpDomains: z.array(z.string()),
  /** When an administrator changed who can sign up, and by whom. Null if SIGN_UP applies. */
  signUpChange: z.object({ at: moment, by: z.string() }).nullable(),
  passwordSignIn: z.boolean(),
  organizations: number,
  people: number,
  jobs: z.object({ due: number, running: number, failed: number }),
  /** The last backup that the responding server made; null if it made none. */
  backup: z.object({ at: moment, bytes: number, verified: z.boolean() }).nullable(),
  /** Why the last attempt of a backup failed; null if it succeeded. */
  backupProblem: z.string().nullable(),
});

const organization = z.object({
  id,
  name: z.string(),
  slug: z.string().nullable(),
  type: z.enum(['individual', 'team']),
  members: number,
  owners: z.array(z.string()),
  workflows: number,
  runs: number,
  events: number,
  lastEventAt: moment.nullable(),
  /** When all of its data is deleted; null if it doesn't end. */
  endsAt: moment.nullable(),
});
export type InstalledOrganization = z.infer<typeof organization>;

const person = z.object({
  id,
  email: z.string(),
  name: z.string(),
  lastSeenAt: moment.nullable(),
  /** Open sessions. */
  sessions: number,
  isProved: z.boolean(),
  disabledAt: moment.nullable(),
  organizations: z.array(z.object({ name: z.string(), role: z.enum(ORG_ROLES) })),
});
export type InstalledPerson = z.infer<typeof person>;

const job = z.object({
  id: z.string(),
  task: z.string(),
  state: z.enum(['failed', 'running', 'retrying', 'waiting']),
  attempts: number,
  runAt: moment,
  /** The first line of the last failure. */
  reason: z.string().nullable(),
});
export type QueuedJob = z.infer<typeof job>;

const delivery = z.object({
  id,
  organization: z.string(),
  webhook: z.string(),
  action: z.string(),
  state: z.enum(['waiting', 'dead']),
  attempts: number,
  createdAt: moment,
  reason: z.string().nullable(),
});
export type QueuedDelivery = z.infer<typeof delivery>;

export const installationRoutes = {
  'GET /api/installation': {
    access: 'installation',
    summary: 'The state of the installation',
    ok: installation,
  },
  'GET /api/installation/organizations': {
    access: 'installation',
    summary: 'Organizations, newest first; X-Next-Cursor contains the cursor of the next page',
    query: page,
    ok: z.array(organization),
  },
  'GET /api/installation/people': {
    access: 'installation',
    summary: 'People, newest first; X-Next-Cursor contains the cursor of the next page',
    query: page,
    ok: z.array(person),
  },
  'POST /api/installation/people/{id}': {
    access: 'installation',
    summary: 'End the sessions of a person, email a link for a new password, or disable or enable the account',
    params: z.object({ id }),
    body: z.strictObject({ action: z.enum(['end_sessions', 'send_reset_link', 'disable', 'enable']) }),
    ok: message,
  },
  'GET /api/installation/jobs': {
    access: 'installation',
    summary: 'Jobs and emails that failed or will be retried, failed ones first, at most 100',
    ok: z.array(job),
  },
  'POST /api/installation/jobs/{id}': {
    access: 'installation',
    summary: 'Retry a job immediately, or delete it without executing it',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    body: z.strictObject({ action: z.enum(['retry', 'drop']) }),
    ok: message,
  },
  'GET /api/installation/deliveries': {
    access: 'installation',
    summary: 'Webhook deliveries that are waiting or failed, newest first, at most 100',
    ok: z.array(delivery),
  },
  'POST /api/installation/deliveries/{id}/retry': {
    access: 'installation',
    summary: 'Send a webhook delivery again immediately',
    params: z.object({ id }),
    ok: message,
  },
  'POST /api/installation/deliveries/{id}/drop': {
    access: 'installation',
    summary: 'Delete a webhook delivery without sending it',
    params: z.object({ id }),
    ok: message,
  },
  'POST /api/installation/sign-up': {
    access: 'installation',
    summary: 'Change who can sign up without an invitation, in the format of SIGN_UP; null uses SIGN_UP again',
    body: z.strictObject({ signUp: z.string().trim().max(2000).nullable() }),
    ok: message,
  },
} satisfies Routes;
