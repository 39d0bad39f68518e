import { PERMISSION_NAMES, PERSONAL_TOKEN_DAYS, TOKEN_KINDS, TOKEN_ROLES } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { HOUR, id, message, moment, oneLine, person } from './shared.ts';

const name = z
  .string()
  .trim()
  .min(1, 'Enter a name for the token')
  .max(80)
  .regex(oneLine, 'A name must be a single line');
const scopes = z.array(z.enum(PERMISSION_NAMES)).min(1, 'Choose at least one permission').max(20);
/** Days from now; null if the token doesn't expire. */
const expiresInDays = z.number().int().min(1).max(3650).nullable();
const PERSONAL_TOKEN_ENDS = `A personal token can be valid for at most ${PERSONAL_TOKEN_DAYS.most} days`;
/** Days from now. A personal token always expires. */
const personalExpiresInDays = z
  .number(PERSONAL_TOKEN_ENDS)
  .int()
  .min(1)
  .max(PERSONAL_TOKEN_DAYS.most, PERSONAL_TOKEN_ENDS);

const apiToken = z.object({
  id,
  kind: z.enum(TOKEN_KINDS),
  name: z.string(),
  scopes: z.array(z.string()),
  /** Role of an organization's own token; null for a personal token, which has its owner's role. */
  role: z.enum(TOKEN_ROLES).nullable(),
  /** The person responsible for the token: its creator, or the manager who took over an organization's token. */
  owner: person,
  /** The token's last characters, so that people can distinguish tokens. */
  ending: z.string(),
  createdAt: moment,
  expiresAt: moment.nullable(),
  /** Accurate to the minute; null if the token was never used. */
  lastUsedAt: moment.nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;

const made = z.object({
  secret: z.string().describe('The token itself; it is shown only in this response'),
  token: apiToken,
});
const orgParams = z.strictObject({ id });
const rateLimit = { name: 'api-token', perAddress: 120, perAccount: 60, windowSeconds: HOUR };

/** API tokens (`Authorization: Bearer stet_pat_…`). An API token can't call these routes. */
export const apiTokenRoutes = {
  'GET /api/tokens': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'The caller’s personal API tokens for this organization',
    ok: z.array(apiToken),
  },
  'POST /api/tokens': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'Create a personal API token for this organization; only this response contains the token',
    body: z.strictObject({ name, scopes, expiresInDays: personalExpiresInDays }),
    ok: made,
    status: 201,
    rateLimit,
  },
  'DELETE /api/tokens/{id}': {
    access: 'workflow.read',
    tokens: 'none',
    summary: 'Revoke one of the caller’s personal API tokens immediately',
    params: orgParams,
    ok: message,
  },
  'GET /api/organizations/{id}/tokens': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'All API tokens with access to this organization: its own and those of its members',
    params: orgParams,
    ok: z.array(apiToken),
  },
  'POST /api/organizations/{id}/tokens': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Create an organization API token with a role',
    params: orgParams,
    body: z.strictObject({ name, role: z.enum(TOKEN_ROLES), scopes, expiresInDays }),
    ok: made,
    status: 201,
    rateLimit,
  },
  'DELETE /api/organizations/{id}/tokens/{tokenId}': {
    access: 'org.manage',
    tokens: 'none',
    summary: 'Revoke any API token with access to this organization immediately',
    params: orgParams.extend({ tokenId: id }),
    ok: message,
  },
} satisfies Routes;
