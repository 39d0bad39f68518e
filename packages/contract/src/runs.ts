import { RUN_DEFAULTS, RUN_LIMITS, RUN_NAME_PROBLEMS } from '@stet/domain/defaults';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { PRIORITIES, RUN_STATUSES, SLA_STATES, run, runSummary } from './run-shapes.ts';
import { id, moment, optionalText } from './shared.ts';
import { workflowKey } from './workflow-content.ts';

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
    summary: 'Agree to skip a step, for a reason; it is skipped once as many people agree as the step needs',
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
    summary: 'Make a failed step active again; after a rejection someone other than those rejected does it',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    ok: acted,
  },
  'POST /api/runs/{id}/pause': {
    access: 'run.control',
    summary: 'Pause a run; its clocks stand still',
    params: runParams,
    body: z.strictObject({ reason: z.string().trim().max(2000).nullish() }).optional(),
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
