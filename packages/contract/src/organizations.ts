import { ORG_ROLES, PROOFS } from '@stet/domain/access';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, person } from './shared.ts';

const orgParams = z.strictObject({ id });

export const member = z.object({ id, name: z.string(), email: z.string(), role: z.enum(ORG_ROLES) });
/** A member and how their identity was proved. */
const listedMember = member.extend({
  /** How the account was proved in this organization; null if it isn't proved. */
  provedBy: z.enum(PROOFS).nullable(),
  /** The person who gave the member their current role; null for a founder. */
  addedBy: person.nullable(),
  /** A manager who confirmed the member; null if none did. */
  confirmedBy: person.nullable(),
});
export type Member = z.infer<typeof listedMember>;

export const organizationRoutes = {
  'GET /api/organizations/{id}/users': {
    access: 'workflow.read',
    summary: 'Members of the selected organization',
    params: orgParams,
    ok: z.array(listedMember),
  },
  'GET /api/organizations/{id}/common-assignees': {
    access: 'workflow.read',
    summary: 'Assignees of the live workflows, most used first, at most 20',
    params: orgParams,
    ok: z.array(z.object({ assignee: z.string() })),
  },
} satisfies Routes;
