import { RUN_DEFAULTS, RUN_LIMITS, RUN_NAME_PROBLEMS } from '@stet/domain/defaults';
import { STEP_OUTCOMES } from '@stet/domain/insights';
import { RUN_STATUSES } from '@stet/domain/runs';
import { SLA_STATES } from '@stet/domain/sla';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { PRIORITIES, run, runSummary } from './run-shapes.ts';
import { asDelegateOf, id, moment, optionalText } from './shared.ts';
import { workflowKey } from './workflow-content.ts';
import { tagQuery } from './workflows.ts';

/** The maximum number of runs in one call. */
const BULK_RUNS = 100;

const runParams = z.strictObject({ id });
const runStepParams = z.strictObject({ runId: id, stepId: z.string().min(1).max(120) });
const text = z.string().max(20_000);
/** A step's input and the values of its form by field id. A plain string is read as `{ text }`. */
const output = z.preprocess(
  (value) => (typeof value === 'string' ? { text: value } : (value ?? undefined)),
  z.strictObject({ text: text.nullish(), fields: z.record(z.string().max(200), z.unknown()).nullish() }).optional(),
);
const acted = z.object({ message: z.string(), run });

/** A run's purpose, read from the end of its name: '{title} - Production', '{title} - Testing'. */
export const RUN_ENVS = ['production', 'testing'] as const;
export type RunEnv = (typeof RUN_ENVS)[number];

/**
 * The orders of the list. `attention`: failed, at-risk and breached runs first; `due`: soonest first; `priority`:
 * highest first; `name`: A to Z.
 */
const RUN_SORTS = ['newest', 'oldest', 'due', 'priority', 'name', 'attention'] as const;
export type RunSort = (typeof RUN_SORTS)[number];

const filter = z.strictObject({
  status: z.enum(RUN_STATUSES).optional(),
  workflow: workflowKey.optional(),
  /** A version of `workflow`. */
  version: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
  tag: tagQuery.describe('Only runs of workflows that have this tag now'),
  priority: z.enum(PRIORITIES).optional(),
  /**
   * The address, role or group (`group:finance`) for which a step of the run is waiting. Claims and hand-overs count.
   */
  with: optionalText(320),
  env: z.enum(RUN_ENVS).optional(),
  sla: z.enum(SLA_STATES).optional(),
  q: optionalText(100),
  /**
   * Only the runs that are counted in an insights figure about `workflow`. These are ended runs in which a step had an
   * outcome (`late:{stepId}`), ended runs that took a path (`path:{id}`), or running runs in which a step is late now
   * (`lateNow:{stepId}`). Can't be combined with `q`, `with`, or an order other than by start.
   */
  figure: z
    .string()
    .max(150)
    .regex(new RegExp(`^(${[...STEP_OUTCOMES, 'path', 'lateNow'].join('|')}):[^\\0]+$`))
    .optional(),
  from: moment.optional(),
  to: moment.optional(),
});
const sorted = filter.extend({ sort: z.enum(RUN_SORTS).default('newest') });
const listQuery = sorted.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(1000).optional(),
});

export const runRoutes = {
  'GET /api/runs': {
    access: 'workflow.read',
    summary:
      'Runs, newest first unless sort is set; X-Next-Cursor contains the cursor of the next page, for the same filters and sort',
    query: listQuery,
    ok: z.array(runSummary),
  },
  'GET /api/runs/export.csv': {
    access: 'workflow.read',
    summary:
      'The listed runs as a CSV file; X-Stet-Verified contains the time of the last successful verification of the whole audit trail, or never',
    query: sorted.extend({
      /** Only matching runs with one of these ids, comma-separated. */
      ids: z
        .string()
        .max(BULK_RUNS * 37)
        .transform((ids) => ids.split(','))
        .pipe(z.array(id).min(1).max(BULK_RUNS))
        .optional(),
    }),
    ok: { contentType: 'text/csv; charset=utf-8' },
  },
  'GET /api/runs/summary': {
    access: 'workflow.read',
    summary: 'Number of runs by status, and of running ones by SLA state',
    ok: z.object({
      total: z.number().int(),
      byStatus: z.record(z.enum(RUN_STATUSES), z.number().int()),
      /** Running runs; those without an SLA aren't counted. */
      bySla: z.record(z.enum(SLA_STATES), z.number().int()),
    }),
  },
  'POST /api/runs': {
    access: 'run.start',
    summary: 'Start a run of the live version',
    body: z.strictObject({
      key: workflowKey,
      name: z
        .string(RUN_NAME_PROBLEMS.missing)
        .trim()
        .min(1, RUN_NAME_PROBLEMS.missing)
        .min(RUN_LIMITS.nameMin, RUN_NAME_PROBLEMS.short)
        .max(RUN_LIMITS.nameMax, RUN_NAME_PROBLEMS.long),
      description: z.string().trim().max(RUN_LIMITS.description).nullish(),
      priority: z.enum(PRIORITIES).default(RUN_DEFAULTS.priority),
    }),
    ok: run,
    status: 201,
  },
  'POST /api/runs/bulk': {
    access: 'run.control',
    summary:
      'Pause, cancel or reprioritize several runs; returns one result per run, in the order of the ids. Each run is changed independently',
    body: z
      .strictObject({
        ids: z.array(id).min(1, 'Select at least one run').max(BULK_RUNS, `Select at most ${BULK_RUNS} runs`),
        action: z.enum(['pause', 'cancel', 'set_priority']),
        /** Only for `set_priority`. */
        priority: z.enum(PRIORITIES).optional(),
        reason: z.string().trim().max(2000).nullish(),
      })
      .refine(({ action, priority }) => (action === 'set_priority') === (priority !== undefined), {
        path: ['priority'],
        message: 'must be set for set_priority, and only for it',
      })
      .refine(({ action, reason }) => action !== 'cancel' || Boolean(reason), {
        path: ['reason'],
        message: 'Enter a reason for cancelling the runs',
      }),
    ok: z.object({
      results: z.array(
        z.object({
          id,
          /** The reason why this run wasn't changed; null if it was. */
          refusal: z.object({ code: z.string(), error: z.string() }).nullable(),
        }),
      ),
    }),
  },
  'GET /api/runs/{id}': {
    access: 'workflow.read',
    summary: 'A run with its steps and history',
    params: runParams,
    ok: run,
  },
  'POST /api/runs/{id}/complete': {
    access: 'workflow.read',
    summary: 'Complete a step; returns the updated run',
    params: runParams,
    body: z.strictObject({
      stepId: z.string().min(1).max(120),
      output,
      notes: text.nullish(),
      onBehalfOf: asDelegateOf,
    }),
    ok: run,
  },
  'POST /api/runs/{runId}/steps/{stepId}/complete': {
    access: 'workflow.read',
    summary: 'Complete a step',
    params: runStepParams,
    body: z.strictObject({ output, notes: text.nullish(), onBehalfOf: asDelegateOf }).optional(),
    ok: acted,
  },
  'POST /api/runs/{runId}/steps/{stepId}/skip': {
    access: 'workflow.read',
    // Skipping an approval step is a decision.
    tokens: 'personal',
    summary: 'Vote to skip a step, with a reason; the step is skipped once the required number of people agree',
    params: runStepParams,
    body: z.strictObject({ reason: text.nullish() }).optional(),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/approve': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Approve an approval step, or the input of a manual step',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    body: z.strictObject({ comments: text.nullish(), onBehalfOf: asDelegateOf }).optional(),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/reject': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Reject an approval step, or return the input of a manual step',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    body: z.strictObject({ comments: text.nullish(), onBehalfOf: asDelegateOf }).optional(),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/retry': {
    access: 'run.control',
    summary: 'Make a failed step active again; after a rejection, a person other than those rejected must do this',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/claim': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Claim a manual step, so that it waits only for the user',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/release': {
    access: 'workflow.read',
    tokens: 'personal',
    summary: 'Give a claimed or handed over manual step back to the people who had it before',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    ok: acted,
  },
  'POST /api/runs/{id}/steps/{stepId}/hand-over': {
    access: 'workflow.read',
    tokens: 'personal',
    summary:
      'Hand a step over, with a reason: a manual step to a member or a group, an approval only to a member and only by a person whom it names',
    params: z.strictObject({ id, stepId: z.string().min(1).max(120) }),
    body: z.strictObject({
      /** A member's id or address, or `group:` with a group's slug. */
      to: z.string('Choose a person or a group').trim().min(1, 'Choose a person or a group').max(320),
      reason: z.string('Enter a reason for the hand-over').trim().min(1, 'Enter a reason for the hand-over').max(2000),
    }),
    ok: acted,
  },
  'POST /api/runs/{id}/pause': {
    access: 'run.control',
    summary: 'Pause a run and its clocks',
    params: runParams,
    body: z.strictObject({ reason: z.string().trim().max(2000).nullish() }).optional(),
    ok: run,
  },
  'POST /api/runs/{id}/resume': { access: 'run.control', summary: 'Resume a paused run', params: runParams, ok: run },
  'POST /api/runs/{id}/cancel': {
    access: 'run.control',
    summary: 'Cancel a run permanently',
    params: runParams,
    body: z.strictObject({ reason: z.string().trim().min(1, 'Enter a reason for cancelling the run').max(2000) }),
    ok: run,
  },
} satisfies Routes;
