import { ORG_ROLES } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id } from './shared.ts';

const orgParams = z.strictObject({ id });

export const member = z.object({ id, name: z.string(), email: z.string(), role: z.enum(ORG_ROLES) });
export type Member = z.infer<typeof member>;

export const organizationRoutes = {
  'GET /api/organizations/{id}/users': {
    access: 'workflow.read',
    summary: 'Members of the selected organization',
    params: orgParams,
    ok: z.array(member),
  },
  'GET /api/organizations/{id}/common-assignees': {
    access: 'workflow.read',
    summary: 'Assignees of the live workflows, most used first, at most 20',
    params: orgParams,
    ok: z.array(z.object({ assignee: z.string() })),
  },
} satisfies Routes;
