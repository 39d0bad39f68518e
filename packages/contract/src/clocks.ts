import { CALENDAR_LIMITS } from '@stet/domain/sla';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, person } from './shared.ts';
import { workflowKey } from './workflow-content.ts';

const minute = z.number().int().min(0).max(1440);

/** When an organization works; `week` from Monday to Sunday, minutes from midnight of the time zone. */
const workingHours = z.strictObject({
  timeZone: z.string().trim().min(1).max(100),
  week: z.array(z.array(z.strictObject({ from: minute, to: minute })).max(CALENDAR_LIMITS.periodsPerDay)).length(7),
  holidays: z.array(z.string().max(10)).max(CALENDAR_LIMITS.holidays),
});
export type WorkingHours = z.infer<typeof workingHours>;

const settings = z.object({ workingHours: workingHours.nullable() });
/** What holds, and what waits for a second owner or admin because due times could get later by it. */
const workingHoursNow = settings.extend({
  pending: z.object({ workingHours: workingHours.nullable(), proposedBy: person, proposedAt: moment }).nullable(),
});

const escalationSettings = {
  /** E-mails of members, and roles. */
  tell: z.array(z.string()),
  /** Minutes after which they are told again, until the step is done; null for once. */
  againAfterMinutes: z.number().int().nullable(),
};

const escalation = z.object({
  ...escalationSettings,
  /** A weaker one, which waits for a second owner or admin. */
  pending: z.object({ ...escalationSettings, proposedBy: person, proposedAt: moment }).nullable(),
  updatedAt: moment.nullable(),
  updatedBy: z.string().nullable(),
  abilities: z.object({ change: z.boolean() }),
});
export type Escalation = z.infer<typeof escalation>;

const orgParams = z.strictObject({ id });
const workflowParams = z.strictObject({ key: workflowKey });

/** What clocks count in, and who is told when they run out (rulings, section 7). */
export const clockRoutes = {
  'GET /api/organizations/{id}/working-hours': {
    access: 'workflow.read',
    summary: 'The working hours that SLAs are counted in; null is the clock on the wall',
    params: orgParams,
    ok: workingHoursNow,
  },
  'PATCH /api/organizations/{id}/working-hours': {
    access: 'org.manage',
    summary:
      'Change the working hours for steps that become active from now on; if due times could get later, propose it to another owner or admin',
    params: orgParams,
    body: settings.strict(),
    ok: workingHoursNow,
  },
  'GET /api/workflows/{key}/escalation': {
    access: 'workflow.read',
    summary: 'Who is told of a breach in runs of a workflow, besides its assignee, owners and admins',
    params: workflowParams,
    ok: escalation,
  },
  'PATCH /api/workflows/{key}/escalation': {
    access: 'draft.merge',
    summary:
      'Change who is told of a breach, and after how long again; if it gets weaker, propose it to an owner or admin',
    params: workflowParams,
    body: z.strictObject({
      tell: z.array(z.string().trim().min(1).max(254)).max(20),
      againAfterMinutes: z.number().int().min(5).max(43_200).nullable(),
    }),
    ok: escalation,
  },
} satisfies Routes;
