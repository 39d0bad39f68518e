import { APPLICANT_ROLES, DOCUMENTATION_TOOLS, FREQUENCIES, TEAM_TOOLS, isRoleNamed } from '@stet/domain/waitlist';
import { z } from 'zod';
import { email } from './accounts.ts';
import type { Routes } from './route.ts';
import { HOUR, message } from './shared.ts';

const freeText = z.string().trim().max(5000).default('');
const other = z.string().trim().max(200).default('');

/** The answers of a priority application (specification, sections 3 and 5). */
const priorityApplication = z
  .strictObject({
    email,
    role: z.enum(APPLICANT_ROLES, 'Please choose your role'),
    otherRole: other,
    documentationTools: z.array(z.enum(DOCUMENTATION_TOOLS)).max(DOCUMENTATION_TOOLS.length).default([]),
    otherDocumentationTool: other,
    teamTools: z.array(z.enum(TEAM_TOOLS)).max(TEAM_TOOLS.length).default([]),
    otherTeamTool: other,
    frustrations: freeText,
    processTypes: freeText,
    collaborationSize: freeText,
    frequency: z.enum(FREQUENCIES, 'Please choose how often'),
  })
  .refine(({ role, otherRole }) => isRoleNamed(role, otherRole), {
    path: ['otherRole'],
    message: 'Please enter your role',
  });

export const waitlistRoutes = {
  'POST /api/waitlist/signup': {
    access: 'public',
    summary: 'Join the waitlist; the response is the same if the address is already on it',
    body: z.strictObject({ email }),
    ok: message,
    rateLimit: { name: 'waitlist', perAddress: 60, perAccount: 10, windowSeconds: HOUR },
  },
  'GET /api/waitlist/count': {
    access: 'public',
    summary: 'Number of people on the waitlist',
    ok: z.object({ count: z.number().int() }),
  },
  'POST /api/waitlist/priority-application': {
    access: 'public',
    summary: 'Apply for the priority list; a later application from the same address replaces the earlier one',
    body: priorityApplication,
    ok: message,
    rateLimit: { name: 'application', perAddress: 60, perAccount: 10, windowSeconds: HOUR },
  },
} satisfies Routes;
