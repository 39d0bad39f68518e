import { RUN_DEFAULTS, RUN_LIMITS, RUN_NAME_PROBLEMS } from '@stet/domain/defaults';
import { type InputField, STEP_TYPES } from '@stet/domain/workflows';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment, optionalText } from './shared.ts';
import { step, workflowKey } from './workflow-content.ts';

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

const runSummary = z.object({
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
      votes: z.array(z.object({ by: actor, at: moment, comments: z.string().nullable() })),
    })
    .nullable(),
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
  /** Milliseconds since 1970 of the server's clock when it answered; due times compare with it. */
  now: z.number(),
  /** Why the run has failed: the step, its reason, and the sentence for a person. */
  failure: z.object({ stepId: z.string(), reason: z.string(), message: z.string() }).nullable(),
  history: z.array(historyEntry),
  steps: z.array(runStep),
  workflow: z.object({ key: z.string(), title: z.string(), description: z.string(), steps: z.array(step) }),
  abilities: z.object({ pause: z.boolean(), resume: z.boolean(), cancel: z.boolean(), exportAudit: z.boolean() }),
});
export type Run = z.infer<typeof run>;

const runParams = z.strictObject({ id });
const runStepParams = z.strictObject({ runId: id, stepId: z.string().min(1).max(120) });
const text = z.string().max(20_000);
/** The input of a step and the values of its form by the names of its fields. Text alone is read as `{ text }`. */
const output = z.preprocess(
  (value) => (typeof value === 'string' ? { text: value } : (value ?? undefined)),
  z.strictObject({ text: text.nullish(), fields: z.record(z.string().max(200), z.unknown()).nullish() }).optional(),
);
const acted = z.object({ message: z.string(), run });

/** What a run is for, as the end of its name says: '{title} - Production', '{title} - Testing'. */
export const RUN_ENVS = ['production', 'testing'] as const;
export type RunEnv = (typeof RUN_ENVS)[number];

const filter = z.strictObject({
  status: z.enum(RUN_STATUSES).optional(),
  workflow: workflowKey.optional(),
  env: z.enum(RUN_ENVS).optional(),
  sla: z.enum(SLA_STATES).optional(),
  q: optionalText(100),
  from: moment.optional(),
  to: moment.optional(),
});
const listQuery = filter.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
});

export const runRoutes = {
  'GET /api/runs': {
    access: 'workflow.read',
    summary: 'Runs, newest first; X-Next-Cursor names the next page',
    query: listQuery,
    ok: z.array(runSummary),
  },
  'GET /api/runs/export.csv': {
    access: 'workflow.read',
    summary: 'The listed runs as a CSV file, newest first',
    query: filter,
    ok: { contentType: 'text/csv; charset=utf-8' },
  },
  'GET /api/runs/summary': {
    access: 'workflow.read',
    summary: 'How many runs there are, by status',
    ok: z.object({ total: z.number().int(), byStatus: z.record(z.enum(RUN_STATUSES), z.number().int()) }),
  },
  'POST /api/runs': {
    access: 'run.start',
    summary: 'Start a run of the live version',
    body: z.strictObject({
      key: workflowKey,
      name: z
        .string('Run name is required')
        .trim()
        .min(1, 'Run name is required')
        .min(RUN_LIMITS.nameMin, RUN_NAME_PROBLEMS.short)
        .max(RUN_LIMITS.nameMax, RUN_NAME_PROBLEMS.long),
      description: z.string().trim().max(RUN_LIMITS.description).nullish(),
      priority: z.enum(PRIORITIES).default(RUN_DEFAULTS.priority),
    }),
    ok: run,
    status: 201,
  },
  'GET /api/runs/{id}': {
    access: 'workflow.read',
    summary: 'A run with its steps and history',
    params: runParams,
    ok: run,
  },
  'POST /api/runs/{id}/complete': {
    access: 'workflow.read',
    summary: 'Complete a step; the updated run',
    params: runParams,
    body: z.strictObject({ stepId: z.string().min(1).max(120), output, notes: text.nullish() }),
    ok: run,
  },
  'POST /api/runs/{runId}/steps/{stepId}/complete': {
    access: 'workflow.read',
    summary: 'Complete a step',
    params: runStepParams,
    body: z.strictObject({ output, notes: text.nullish() }).optional(),
    ok: acted,
  },
  'POST /api/runs/{runId}/steps/{stepId}/skip': {
    access: 'workflow.read',
    // To skip is to decide, where it skips an approval.
    tokens: 'personal',
    summary: 'Skip a step',
    params: runStepParams,
    body: z.strictObject({ reason: text.nullish() }).optional(),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/approve': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Approve an approval step, or the input of a manual step',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    body: z.strictObject({ comments: text.nullish() }).optional(),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/reject': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Reject an approval step, or return the input of a manual step',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    body: z.strictObject({ comments: text.nullish() }).optional(),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/retry': {
    access: 'run.control',
    summary: 'Make a failed step active again',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    ok: acted,
  },
  'POST /api/runs/{id}/pause': {
    access: 'run.control',
    summary: 'Pause a run; its clocks stand still',
    params: runParams,
    ok: run,
  },
  'POST /api/runs/{id}/resume': { access: 'run.control', summary: 'Resume a paused run', params: runParams, ok: run },
  'POST /api/runs/{id}/cancel': {
    access: 'run.control',
    summary: 'End a run for good',
    params: runParams,
    body: z.strictObject({ reason: z.string().trim().min(1, 'Say why the run is cancelled').max(2000) }),
    ok: run,
  },
} satisfies Routes;
