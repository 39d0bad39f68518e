import { z } from 'zod';
import { email } from './accounts.ts';
import type { Routes } from './route.ts';
import { message } from './shared.ts';

export const APPLICANT_ROLES = [
  'Founder',
  'Operations Manager',
  'Team Lead',
  'Process Owner',
  'Project Manager',
  'Customer Success Manager / Support Lead',
  'HR / People Ops Specialist',
  'Business Analyst',
  'Quality Assurance / Compliance Specialist',
  'Knowledge Manager / Knowledge Base Admin',
  'Training & Onboarding Specialist',
  'Operations Specialist',
  'Other',
] as const;
export const DOCUMENTATION_TOOLS = [
  'Confluence',
  'Notion',
  'Miro',
  'Process Street',
  'Scribe',
  'Tango',
  'Lucidchart',
  'Other',
] as const;
export const TEAM_TOOLS = [
  'Confluence',
  'Notion',
  'Miro',
  'Process Street',
  'Scribe',
  'Tango',
  'Trello',
  'Asana',
  'ClickUp',
  'Google Docs / Google Sheets',
  'Microsoft Word / Microsoft Excel',
  'monday.com',
  'Airtable',
  'Lucidchart',
  'Jira',
  'SharePoint',
  'Other',
] as const;
export const FREQUENCIES = ['Daily', 'Weekly', 'Monthly', 'Occasionally'] as const;

const freeText = z.string().trim().max(5000).default('');
const other = z.string().trim().max(200).default('');

/** The answers of the ten steps (specification, sections 3 and 5). */
const priorityApplication = z
  .strictObject({
    email,
    role: z.enum(APPLICANT_ROLES, 'Please pick your role'),
    otherRole: other,
    documentationTools: z.array(z.enum(DOCUMENTATION_TOOLS)).max(DOCUMENTATION_TOOLS.length).default([]),
    otherDocumentationTool: other,
    teamTools: z.array(z.enum(TEAM_TOOLS)).max(TEAM_TOOLS.length).default([]),
    otherTeamTool: other,
    frustrations: freeText,
    processTypes: freeText,
    collaborationSize: freeText,
    frequency: z.enum(FREQUENCIES, 'Please say how frequently'),
  })
  .refine(({ role, otherRole }) => role !== 'Other' || otherRole.length > 1, {
    path: ['otherRole'],
    message: 'Please say what your role is',
  });
export type PriorityApplication = z.input<typeof priorityApplication>;

export const waitlistRoutes = {
  'POST /api/waitlist/signup': {
    access: 'public',
    summary: 'Join the waitlist; the answer is the same for an address that is on it',
    body: z.strictObject({ email }),
    ok: message,
  },
  'GET /api/waitlist/count': {
    access: 'public',
    summary: 'How many are on the waitlist',
    ok: z.object({ count: z.number().int() }),
  },
  'POST /api/waitlist/priority-application': {
    access: 'public',
    summary: 'Apply for the priority list; a later application of the same address replaces the earlier one',
    body: priorityApplication,
    ok: message,
  },
} satisfies Routes;
