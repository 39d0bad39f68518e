import { DEVIATIONS, REVIEW_DECISIONS } from '@stet/domain/insights';
import { z } from 'zod';
import type { Routes } from './route.ts';
import { id, moment } from './shared.ts';
import { workflowKey } from './workflow-content.ts';

const count = z.number().int();
/** A Monday, `YYYY-MM-DD`; weeks are in UTC. */
const week = z.iso.date();
/** In seconds, rounded to two significant digits from 100 on; null if nothing is counted. */
const percentiles = z.object({ p50: z.number().nullable(), p90: z.number().nullable() });
/**
 * Durations without pauses. `count` is the number of completed runs, or of completions of a step, that they are based
 * on.
 */
const times = z.object({
  count,
  /** The time from the beginning to the end. */
  calendar: percentiles,
  /** The part within working hours. */
  working: percentiles,
  /** The part in which nobody has acted yet; for a run, the part in which no step is handled. */
  waiting: percentiles,
  /** The rest of the time. */
  handling: percentiles,
});
/** `timed` is the number with an SLA, and `kept` the number of those that met it. */
const sla = z.object({ timed: count, kept: count });
const runFigures = { started: count, completed: count, times, sla };
const change = z.object({
  before: z.object({ runs: count, p50: z.number().nullable() }),
  after: z.object({ runs: count, p50: z.number().nullable() }),
  verdict: z.enum(['faster', 'slower', 'no_clear_difference', 'too_few_runs']),
});
const load = z.array(z.object({ who: z.string(), week, arrived: count, done: count }));

/**
 * The period as it was counted: from a Monday to a Sunday. Runs belong to the week in which they were started, and
 * reviews to the week of their decision.
 */
const period = {
  /** All events up to this time are counted. */
  asOf: moment,
  from: week,
  to: z.iso.date(),
};

const workflowInsights = z.object({
  ...period,
  workflow: z.object({ key: z.string(), title: z.string() }),
  /** The version that the figures are limited to; null for all. */
  version: z.number().int().nullable(),
  /** The version whose steps are listed. */
  stepsOf: z.number().int().nullable(),
  runs: z.object({ ...runFigures, ended: count, failed: count, cancelled: count }),
  weeks: z.array(z.object({ week, ...runFigures })),
  versions: z.array(z.object({ version: z.number().int(), ...runFigures })),
  steps: z.array(
    z.object({
      stepId: z.string(),
      title: z.string(),
      type: z.string(),
      doneBy: z.string(),
      /** The number of runs that reached the step, and how many times they did in all. */
      runs: count,
      visits: count,
      completed: count,
      skipped: count,
      failed: count,
      /** How often a rejection returned a run to the step. */
      returned: count,
      /** How often people rejected at the step or returned its input. */
      sentBack: count,
      /** How often someone handed the step over to another person or group. */
      handedOver: count,
      /** Runs in which no taken branch led to the step. */
      bypassed: count,
      /**
       * The runs in which each outcome occurred at least once; `GET /api/runs` lists them, for example with
       * `figure=late:{stepId}`.
       */
      inRuns: z.object({
        completed: count,
        skipped: count,
        failed: count,
        returned: count,
        sentBack: count,
        handedOver: count,
        late: count,
      }),
      times,
      sla,
      /**
       * Null unless `people` was requested. Sorted by name; a null person represents everyone with few runs. The times
       * of that entry are null if these people have few runs even in total.
       */
      people: z
        .array(z.object({ person: z.object({ id: z.string(), name: z.string() }).nullable(), runs: count, times }))
        .nullable(),
    }),
  ),
  /** Paths of completed runs, the most frequent first; `others` is the number of runs that took less frequent paths. */
  paths: z.object({
    /** `GET /api/runs` lists the runs of a path with `figure=path:{id}`. */
    listed: z.array(z.object({ id: z.string(), stepIds: z.array(z.string()), runs: count })),
    others: count,
    runs: count,
  }),
  /** `version`, or else the live version, compared with the one before it in the period. */
  change: z
    .object({
      before: z.number().int(),
      after: z.number().int(),
      measures: z.object({ calendar: change, working: change, waiting: change, handling: change }),
      steps: z.array(change.extend({ stepId: z.string(), title: z.string() })),
    })
    .nullable(),
  load,
});
export type WorkflowInsights = z.infer<typeof workflowInsights>;

const finding = z.object({
  kind: z.enum(DEVIATIONS),
  at: moment,
  run: z.object({ id, name: z.string() }),
  step: z.object({ id: z.string(), title: z.string() }),
  version: z.number().int(),
});

const conformance = z.object({
  ...period,
  workflow: z.object({ key: z.string(), title: z.string() }),
  version: z.number().int().nullable(),
  /** The number of ended runs that the counts are based on. */
  runs: count,
  counts: z.array(z.object({ kind: z.enum(DEVIATIONS), stepId: z.string(), title: z.string(), findings: count })),
  /** One page, newest runs first. */
  findings: z.array(finding),
});
export type Conformance = z.infer<typeof conformance>;

/**
 * Finished reviews of drafts: the time from the submission to the decision, which is a request for changes or the last
 * approval of a draft that went live. Percentiles are in seconds.
 */
const reviewFigures = z.object({ finished: count, changesRequested: count, ...percentiles.shape });
export type ReviewFigures = z.infer<typeof reviewFigures>;

const workflowReviews = z.object({
  ...period,
  workflow: z.object({ key: z.string(), title: z.string() }),
  /** The version that the reviews are limited to, 0 for drafts that didn't go live; null for all. */
  version: z.number().int().nullable(),
  all: reviewFigures,
  /** By week of the decision. */
  weeks: z.array(reviewFigures.extend({ week })),
  /** By the version that the draft became; null for drafts that didn't go live. */
  versions: z.array(reviewFigures.extend({ version: z.number().int().nullable() })),
  /** One page, the latest decisions first. */
  reviews: z.array(
    z.object({
      draftId: id,
      /** Null if the draft was discarded. */
      title: z.string().nullable(),
      version: z.number().int().nullable(),
      submittedAt: moment,
      decidedAt: moment,
      decision: z.enum(REVIEW_DECISIONS),
      seconds: z.number(),
    }),
  ),
});
export type WorkflowReviews = z.infer<typeof workflowReviews>;

const overview = z.object({
  ...period,
  runs: z.object({ started: count, ended: count, completed: count, sla }),
  workflows: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      started: count,
      ended: count,
      completed: count,
      sla,
      findings: count,
    }),
  ),
  /**
   * Steps that are late now, the ones with the most late runs first. If there are very many late runs, only the longest
   * overdue ones are counted.
   */
  late: z.array(
    z.object({
      key: z.string(),
      title: z.string(),
      stepId: z.string(),
      stepTitle: z.string(),
      doneBy: z.string(),
      runs: count,
      /** The earliest due time of these late runs. */
      since: moment,
    }),
  ),
  load,
  /** Drafts that wait for a review, the longest first. */
  reviews: z.array(z.object({ key: z.string(), draftId: id, title: z.string(), since: moment })),
  /** The reviews that were finished in the period, by workflow. */
  finishedReviews: z.array(reviewFigures.extend({ key: z.string(), title: z.string() })),
});
export type InsightsOverview = z.infer<typeof overview>;

const params = z.strictObject({ key: workflowKey });
/** Days in UTC. The weeks that contain them are counted; by default the last 26. */
const day = z.iso
  .date()
  .refine((text) => text >= '1970-01-01' && text < '9999-01-01', 'must be a day from 1970 to 9998')
  .optional();
const inPeriod = z.strictObject({ from: day, to: day });
const version = z.coerce.number().int().min(1).max(2_147_483_647).optional();
const ofWorkflow = inPeriod.extend({ version });
/** 0: reviews of drafts that didn't go live. */
const ofReviews = inPeriod.extend({ version: z.coerce.number().int().min(0).max(2_147_483_647).optional() });
const withPeople = ofWorkflow.extend({
  /**
   * Splits steps by the person who completed them, for owners and admins, without `from`, `to` and `version`. The audit
   * trail records each such request.
   */
  people: z.stringbool().optional(),
});
const ofFindings = ofWorkflow.extend({
  kind: z.enum(DEVIATIONS).optional(),
  step: z.string().min(1).max(120).optional(),
});
const paged = {
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(1000).optional(),
};
const csv = { contentType: 'text/csv; charset=utf-8' };

export const insightRoutes = {
  'GET /api/workflows/{key}/insights': {
    access: 'workflow.read',
    summary: 'Cycle times, SLAs, steps, paths and load of a workflow, with the number of runs behind every figure',
    params,
    query: withPeople,
    ok: workflowInsights,
  },
  'GET /api/workflows/{key}/insights.csv': {
    access: 'workflow.read',
    summary: 'The same figures as a CSV file, one row per figure; never split by person',
    params,
    query: ofWorkflow,
    ok: csv,
  },
  'GET /api/workflows/{key}/insights/reviews': {
    access: 'workflow.read',
    summary:
      'How long finished reviews took, by week of the decision and by version, and the reviews; X-Next-Cursor contains the cursor of the next page',
    params,
    query: ofReviews.extend(paged),
    ok: workflowReviews,
  },
  'GET /api/workflows/{key}/insights/reviews.csv': {
    access: 'workflow.read',
    summary: 'The finished reviews as a CSV file',
    params,
    query: ofReviews,
    ok: csv,
  },
  'GET /api/workflows/{key}/conformance': {
    access: 'workflow.read',
    summary:
      'Where ended runs differ from the document, with run and step; X-Next-Cursor contains the cursor of the next page',
    params,
    query: ofFindings.extend(paged),
    ok: conformance,
  },
  'GET /api/workflows/{key}/conformance.csv': {
    access: 'workflow.read',
    summary: 'The findings as a CSV file',
    params,
    query: ofFindings,
    ok: csv,
  },
  'GET /api/insights/overview': {
    access: 'workflow.read',
    summary:
      'Late steps, figures of each workflow, the weekly load of groups and roles, and waiting and finished reviews',
    query: inPeriod,
    ok: overview,
  },
  'GET /api/insights/overview.csv': {
    access: 'workflow.read',
    summary: 'The figures of each workflow as a CSV file',
    query: inPeriod,
    ok: csv,
  },
} satisfies Routes;
