import { MAX_ROUTES, ROUTE_TRIGGERS, type RouteTrigger } from '@stet/domain/drafts';
import { TAG_LIMITS, normalizedTag } from '@stet/domain/workflows';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, person } from './shared.ts';

const route = z.strictObject({
  if: z
    .enum(ROUTE_TRIGGERS as [RouteTrigger, ...RouteTrigger[]])
    .describe(
      'The code of a finding; loss: every finding that may weaken a control; unknown: changes that only a person can judge',
    ),
  tag: z
    .string()
    .trim()
    .min(1, 'Enter a tag')
    .max(TAG_LIMITS.length)
    .transform(normalizedTag)
    .nullable()
    .describe('Only workflows with this tag; null for all'),
  group: z.string().trim().max(60).describe('The slug of the group, one of whose members has to approve'),
});
const routes = z.array(route).max(MAX_ROUTES, `At most ${MAX_ROUTES} rules`);

/** The rules about who has to approve which changes, and weaker rules that a second manager must confirm. */
const routesNow = z.object({
  routes: z.array(route),
  pending: z.object({ routes: z.array(route), proposedBy: person, proposedAt: moment }).nullable(),
});
export type ReviewRoutes = z.infer<typeof routesNow>;

const params = z.strictObject({ id });

export const reviewRouteRoutes = {
  'GET /api/organizations/{id}/routes': {
    access: 'workflow.read',
    summary: 'The rules about which groups have to approve which changes',
    params,
    ok: routesNow,
  },
  'PATCH /api/organizations/{id}/routes': {
    access: 'org.manage',
    summary: 'Replace the rules about reviews; weaker rules wait until a second owner or admin confirms them',
    params,
    body: z.strictObject({ routes }),
    ok: routesNow,
  },
} satisfies Routes;
