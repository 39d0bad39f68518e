import { assignedOrgRole, isEmail } from '@stet/domain/access';
import { CALENDAR_LIMITS } from '@stet/domain/sla';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, person } from './shared.ts';
import { workflowKey } from './workflow-content.ts';

const minute = z.number().int().min(0).max(1440);

/** An organization's working hours; `week` is from Monday to Sunday, in minutes since midnight in the time zone. */
const workingHours = z.strictObject({
  timeZone: z.string().trim().min(1).max(100),
  week: z.array(z.array(z.strictObject({ from: minute, to: minute })).max(CALENDAR_LIMITS.periodsPerDay)).length(7),
  holidays: z.array(z.string().max(10)).max(CALENDAR_LIMITS.holidays),
});
export type WorkingHours = z.infer<typeof workingHours>;

const settings = z.object({ workingHours: workingHours.nullable() });
/**
 * The current working hours, and a proposed change that a second manager must confirm, because it could postpone due
 * times.
 */
const workingHoursNow = settings.extend({
  pending: z.object({ workingHours: workingHours.nullable(), proposedBy: person, proposedAt: moment }).nullable(),
});

const escalationSettings = {
  /** Email addresses of members, and roles, to notify. */
  tell: z.array(z.string()),
  /** Minutes between repeated notifications until the step is done; null to notify once. */
  againAfterMinutes: z.number().int().nullable(),
};

const escalation = z.object({
  ...escalationSettings,
  /** A weaker escalation that a second manager must confirm. */
  pending: z.object({ ...escalationSettings, proposedBy: person, proposedAt: moment }).nullable(),
  updatedAt: moment.nullable(),
  updatedBy: z.string().nullable(),
  abilities: z.object({ change: z.boolean() }),
});
export type Escalation = z.infer<typeof escalation>;

/** An email address or a role, in lower case. */
const recipient = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(254)
  .refine((name) => assignedOrgRole(name) !== null || isEmail(name), {
    error: ({ input }) => `“${String(input)}” is neither an email address nor a role`,
  });

const orgParams = z.strictObject({ id });
const workflowParams = z.strictObject({ key: workflowKey });

/** Working hours, and who is notified when an SLA is breached. */
export const clockRoutes = {
  'GET /api/organizations/{id}/working-hours': {
    access: 'workflow.read',
    summary: 'The working hours in which SLA clocks run; null if they run at all times',
    params: orgParams,
    ok: workingHoursNow,
  },
  'PATCH /api/organizations/{id}/working-hours': {
    access: 'org.manage',
    summary:
      'Change the working hours for steps that become active from now on; a change that could postpone due times needs confirmation by another owner or admin',
    params: orgParams,
    body: settings.strict(),
    ok: workingHoursNow,
  },
  'GET /api/workflows/{key}/escalation': {
    access: 'workflow.read',
    summary: 'Who is notified of SLA breaches in runs of a workflow, in addition to the assignee, owners and admins',
    params: workflowParams,
    ok: escalation,
  },
  'PATCH /api/workflows/{key}/escalation': {
    access: 'draft.merge',
    summary:
      'Change who is notified of a breach and how often; a weaker escalation needs confirmation by another owner or admin',
    params: workflowParams,
    body: z.strictObject({
      tell: z.array(recipient).max(20),
      againAfterMinutes: z.number().int().min(5).max(43_200).nullable(),
    }),
    ok: escalation,
  },
} satisfies Routes;
