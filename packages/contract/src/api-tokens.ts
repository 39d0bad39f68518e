import { PERMISSION_NAMES, TOKEN_KINDS, TOKEN_ROLES } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, oneLine, person } from './shared.ts';

const name = z.string().trim().min(1, 'A token needs a name').max(80).regex(oneLine, 'A name is one line of text');
const scopes = z.array(z.enum(PERMISSION_NAMES)).min(1, 'A token needs at least one permission').max(20);
/** Days from now; null where it is good until it is revoked. */
const expiresInDays = z.number().int().min(1).max(3650).nullable();

const apiToken = z.object({
  id,
  kind: z.enum(TOKEN_KINDS),
  name: z.string(),
  scopes: z.array(z.string()),
  /** Of an organization's own token; null for a person's, which follows the role of the person. */
  role: z.enum(TOKEN_ROLES).nullable(),
  /** Whose it is, or who made it for the organization. */
  owner: person,
  /** Its last characters, to tell one from another. */
  ending: z.string(),
  createdAt: moment,
  expiresAt: moment.nullable(),
  /** To the minute; null where it was never used. */
  lastUsedAt: moment.nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;

const made = z.object({ secret: z.string().describe('The token itself, told only now'), token: apiToken });
const orgParams = z.strictObject({ id });
const rateLimit = { name: 'api-token', perAddress: 120, perAccount: 60, windowSeconds: HOUR };

/** API tokens (`Authorization: Bearer stet_pat_…`); none of these calls can be made with one. */
export const apiTokenRoutes = {
  'GET /api/tokens': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'One’s personal API tokens for this organization',
    ok: z.array(apiToken),
  },
  'POST /api/tokens': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'Make a personal API token for this organization; the answer is the only place that ever tells it',
    body: z.strictObject({ name, scopes, expiresInDays }),
    ok: made,
    status: 201,
    rateLimit,
  },
  'DELETE /api/tokens/{id}': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'Revoke one of one’s personal API tokens, at once',
    params: orgParams,
    ok: message,
  },
  'GET /api/organizations/{id}/tokens': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'All API tokens that reach this organization: its own, and those of its members',
    params: orgParams,
    ok: z.array(apiToken),
  },
  'POST /api/organizations/{id}/tokens': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Make an API token of the organization’s own, with a role',
    params: orgParams,
    body: z.strictObject({ name, role: z.enum(TOKEN_ROLES), scopes, expiresInDays }),
    ok: made,
    status: 201,
    rateLimit,
  },
  'DELETE /api/organizations/{id}/tokens/{tokenId}': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Revoke any API token that reaches this organization, at once',
    params: orgParams.extend({ tokenId: id }),
    ok: message,
  },
} satisfies Routes;
