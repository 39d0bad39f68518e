import { type InputField, STEP_TYPES } from '@stet/domain/workflows';
import { z } from 'zod';
import { emergency, id, moment } from './shared.ts';
import { step } from './workflow-content.ts';

export const PRIORITIES = ['low', 'medium', 'high', 'urgent', 'critical'] as const;
export const RUN_STATUSES = ['running', 'paused', 'completed', 'failed', 'cancelled'] as const;
export const SLA_STATES = ['on_track', 'at_risk', 'breached'] as const;
export type Priority = (typeof PRIORITIES)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];
export type SlaState = (typeof SLA_STATES)[number];

const actor = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  kind: z.enum(['user', 'system', 'token']),
});

export const runSummary = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  priority: z.enum(PRIORITIES),
  workflowKey: z.string(),
  workflowTitle: z.string(),
  workflowVersion: z.number().int(),
  status: z.enum(RUN_STATUSES),
  /** Null where no step has a clock. */
  slaState: z.enum(SLA_STATES).nullable(),
  /** For each completed step in order, elapsed time as a share of its SLA. */
  trend: z.array(z.number()),
  durationMs: z.number(),
  sla: z.object({ targetMs: z.number().nullable() }),
  nextSteps: z.array(z.object({ id: z.string(), name: z.string(), owner: z.string() })),
  currentStepIds: z.array(z.string()),
  slaStatus: z.array(z.object({ stepId: z.string(), state: z.enum(SLA_STATES) })),
  stepsTotal: z.number().int(),
  stepsCompleted: z.number().int(),
  /** How many of them the simulation has completed; null if the run was last saved before this was counted. */
  simulatedSteps: z.number().int().nullable(),
  startedBy: actor,
  createdAt: moment,
  completedAt: moment.nullable(),
});
export type RunSummary = z.infer<typeof runSummary>;

export const historyEntry = z.object({
  stepId: z.string().nullable(),
  action: z.string(),
  at: moment,
  actor,
  data: z.record(z.string(), z.unknown()),
});
export type HistoryEntry = z.infer<typeof historyEntry>;

/** Why someone acts on a step that names others; null if it names them, or nobody. */
const actsFor = z.enum(['helper', 'too_few', 'overdue']).nullable();

/** A field as the workflow has it; it was checked when it came in. */
const inputField = z.custom<InputField>().meta({
  type: 'object',
  description: 'A field: id, label, kind, options of a choice, required',
});

const runStep = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(STEP_TYPES),
  description: z.string(),
  assignee: z.string(),
  sla: z.string(),
  state: z.enum(['pending', 'blocked', 'active', 'completed', 'skipped', 'failed']),
  activatedAt: moment.nullable(),
  dueAt: moment.nullable(),
  slaState: z.enum(SLA_STATES).nullable(),
  completedAt: moment.nullable(),
  completedBy: actor.nullable(),
  /** Why whoever completed it acted on a step that names others. */
  completedFor: actsFor,
  output: z.unknown(),
  reason: z.string().nullable(),
  /** Where a manual step awaits another person's approval of its input. */
  submittedBy: actor.nullable(),
  /** The form of a manual step; its values are in `output.fields` by the field's id. Empty where it has none. */
  fields: z.array(inputField),
  /** Whether a manual step's input has to be approved by someone else. */
  requiresApproval: z.boolean(),
  approvals: z
    .object({
      required: z.number().int(),
      by: z.array(actor),
      votes: z.array(z.object({ by: actor, at: moment, comments: z.string().nullable(), actsFor })),
    })
    .nullable(),
  /** How many people have to agree before the step is skipped, and who has agreed. */
  skip: z.object({
    required: z.number().int(),
    votes: z.array(z.object({ by: actor, at: moment, reason: z.string() })),
  }),
  /**
   * The latest rejection of an approval step, until it is approved. `by` is null if it was not recorded; `retriedAlone` if those
   * rejected retried it, since nobody else could.
   */
  rejection: z.object({ by: actor.nullable(), at: moment, comments: z.string(), retriedAlone: z.boolean() }).nullable(),
  /** Whether the simulation stands in, or stood in, for a script that the step doesn't have. */
  simulated: z.boolean(),
  /** How a step ended that the server carries out; null while it hasn't, and for those of people. */
  report: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('automated'), simulated: z.boolean(), reportedMs: z.number().nullable() }),
      z.object({ kind: z.literal('condition'), result: z.boolean() }),
      z.object({ kind: z.literal('notification'), undeliverable: z.array(z.string()) }),
    ])
    .nullable(),
  /** For whom the reader would act now; a decision that isn't their own needs a reason in its comments. */
  actsFor,
  /** Whom the step names, in words such as `Reviewer`; null if it names nobody. */
  assignedTo: z.string().nullable(),
  abilities: z.object({
    complete: z.boolean(),
    approve: z.boolean(),
    reject: z.boolean(),
    skip: z.boolean(),
    retry: z.boolean(),
  }),
});
export type RunStep = z.infer<typeof runStep>;

export const run = runSummary.extend({
  /** Of the version it runs on, if that went live past the review. */
  emergency: emergency.nullable(),
  /** Milliseconds since 1970 of the server's clock when it answered; due times compare with it. */
  now: z.number(),
  /** Why the run has failed: the step, its reason, and the sentence for a person. */
  failure: z.object({ stepId: z.string(), reason: z.string(), message: z.string() }).nullable(),
  /** Since when, by whom and why the run is paused; null unless it is. */
  paused: z.object({ since: moment, by: actor.nullable(), reason: z.string().nullable() }).nullable(),
  /** The rejected run of the same workflow that whoever started this one had cancelled within 7 days before. */
  restartOf: z.object({ runId: id, name: z.string(), cancelledAt: moment }).nullable(),
  history: z.array(historyEntry),
  steps: z.array(runStep),
  workflow: z.object({ key: z.string(), title: z.string(), description: z.string(), steps: z.array(step) }),
  abilities: z.object({ pause: z.boolean(), resume: z.boolean(), cancel: z.boolean(), exportAudit: z.boolean() }),
});
export type Run = z.infer<typeof run>;
