import { RUN_PRIORITIES } from '@stet/domain/defaults';
import { DECISION_MARKS, RUN_STATUSES } from '@stet/domain/runs';
import { SLA_STATES } from '@stet/domain/sla';
import { type InputField, STEP_TYPES } from '@stet/domain/steps';
import { z } from 'zod';
import { emergency, id, moment, onBehalfOf, person } from './shared.ts';
import { stepReport } from './steps/index.ts';
import { step } from './workflow-content.ts';

export const PRIORITIES = RUN_PRIORITIES;
export type Priority = (typeof PRIORITIES)[number];

export const actor = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  kind: z.enum(['user', 'system', 'token']),
  onBehalfOf: onBehalfOf.optional(),
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
  /** The run's SLA state; null if no step has an SLA. */
  slaState: z.enum(SLA_STATES).nullable(),
  /** Share of its SLA that each completed step used, in order of completion; steps without an SLA are omitted. */
  trend: z.array(z.number()),
  durationMs: z.number(),
  sla: z.object({ targetMs: z.number().nullable() }),
  nextSteps: z.array(z.object({ id: z.string(), name: z.string(), owner: z.string() })),
  currentStepIds: z.array(z.string()),
  /** The run's current steps: the active ones, or the failed one. Empty once the run is completed or cancelled. */
  currentSteps: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      /**
       * Addresses, roles, groups and `starter` for which the step is waiting, or `Unassigned`. Empty if it isn't
       * waiting for people.
       */
      waitsFor: z.array(z.string()),
    }),
  ),
  /** The earliest due time of the active steps; null if the run isn't running or no active step has an SLA. */
  dueAt: moment.nullable(),
  slaStatus: z.array(z.object({ stepId: z.string(), state: z.enum(SLA_STATES) })),
  stepsTotal: z.number().int(),
  stepsCompleted: z.number().int(),
  /**
   * The number of these steps that the simulation completed; null if the run was last saved before this was counted.
   */
  simulatedSteps: z.number().int().nullable(),
  /** Marks of all decisions in the run; null if the run was last saved before decisions had marks. */
  marks: z.array(z.enum(DECISION_MARKS)).nullable(),
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

/** The reason why someone may act on a step assigned to others; null if it is assigned to them or unassigned. */
const actsFor = z.enum(['helper', 'too_few', 'overdue']).nullable();

/** The reason why a decision alone doesn't prove that a second person made it. */
const decisionMarks = z.array(z.enum(DECISION_MARKS));
/** The person who added them to the group or gave them the role, for the marks that begin with `added_` or `role_`. */
const addedBy = z.string().nullable();

/** A field of the workflow, already validated on input. */
const inputField = z.custom<InputField>().meta({
  type: 'object',
  description: 'A field: id, label, kind, required, and its options, help, limits (min, max) and unit if it has any',
});

/** A person, or a group with its slug. */
const handedTo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), id, name: z.string(), email: z.string() }),
  z.object({ kind: z.literal('group'), slug: z.string(), name: z.string() }),
]);

const runStep = z.object({
  id: z.string(),
  title: z.string(),
  type: z.enum(STEP_TYPES),
  description: z.string(),
  /**
   * The people that the step is for: those that its version names, or those who have it after a claim or a hand-over.
   */
  assignee: z.string(),
  /** The person who has claimed the step, and the time. */
  claimed: z.object({ by: actor, at: moment }).nullable(),
  /** The hand-overs of the active step, oldest first; a manual step has only the latest. */
  handedOver: z.array(z.object({ by: actor, to: handedTo, at: moment, reason: z.string() })),
  /** The people through whose hand-overs a manual step reached those who did it or submitted its input, in order. */
  handedBy: z.array(actor),
  sla: z.string(),
  state: z.enum(['pending', 'blocked', 'active', 'completed', 'skipped', 'failed']),
  activatedAt: moment.nullable(),
  dueAt: moment.nullable(),
  slaState: z.enum(SLA_STATES).nullable(),
  /** Elapsed time of a completed step as a share of its SLA; null if it isn't completed or has no SLA. */
  usedShare: z.number().nullable(),
  completedAt: moment.nullable(),
  completedBy: actor.nullable(),
  /** The reason why the person who completed the step could act although it was assigned to others. */
  completedFor: actsFor,
  output: z.unknown(),
  reason: z.string().nullable(),
  /** Set while the input of a manual step awaits another person's approval. */
  submittedBy: actor.nullable(),
  /** The form of a manual step; empty if it has none. `output.fields` has its values by field id. */
  fields: z.array(inputField),
  /** Whether another person has to approve a manual step's input. */
  requiresApproval: z.boolean(),
  approvals: z
    .object({
      required: z.number().int(),
      by: z.array(actor),
      votes: z.array(
        z.object({ by: actor, at: moment, comments: z.string().nullable(), actsFor, marks: decisionMarks, addedBy }),
      ),
    })
    .nullable(),
  /** The number of people who must agree to skip the step, and those who have agreed. */
  skip: z.object({
    required: z.number().int(),
    votes: z.array(z.object({ by: actor, at: moment, reason: z.string(), marks: decisionMarks, addedBy })),
  }),
  /** Marks of all decisions that led to the step's current state. */
  marks: decisionMarks,
  /**
   * The latest rejection of an approval step, until it is approved. `by` is null if it wasn't recorded. `retriedAlone`
   * is true if the rejected people retried it themselves, because no one else could.
   */
  rejection: z.object({ by: actor.nullable(), at: moment, comments: z.string(), retriedAlone: z.boolean() }).nullable(),
  /** Whether the step is or was simulated because it has no script. */
  simulated: z.boolean(),
  /** The outcome of a step that the server executes; null until it ends, and for steps performed by people. */
  report: stepReport.nullable(),
  /**
   * The reason why the reader may act although the step is assigned to others; a decision then needs a reason in its
   * comments.
   */
  actsFor,
  /** The step's assignee in words, for example `Reviewer`; null if the step is unassigned. */
  assignedTo: z.string().nullable(),
  abilities: z.object({
    complete: z.boolean(),
    approve: z.boolean(),
    reject: z.boolean(),
    skip: z.boolean(),
    retry: z.boolean(),
    claim: z.boolean(),
    release: z.boolean(),
    handOver: z.boolean(),
  }),
  /** The reader's abilities on the step as the delegate of others. */
  delegated: z.array(
    z.object({ onBehalfOf: person, complete: z.boolean(), approve: z.boolean(), reject: z.boolean() }),
  ),
  /**
   * The reason why the reader can't do the step's next action, in the words of the refusal; null if they can, or if the
   * step isn't waiting for anyone.
   */
  because: z.object({ code: z.string(), sentence: z.string() }).nullable(),
});
export type RunStep = z.infer<typeof runStep>;

export const run = runSummary.extend({
  /** For If-Match; increases with each change to the run. */
  revision: z.number().int(),
  /** Set if the run's version went live without a review. */
  emergency: emergency.nullable(),
  /** The server's clock at the response, in ms since 1970; compare due times with it. */
  now: z.number(),
  /** The reason why the run failed: the step, the reason code, and a sentence for a person. */
  failure: z.object({ stepId: z.string(), reason: z.string(), message: z.string() }).nullable(),
  /** The time, author and reason of the pause; null if the run isn't paused. */
  paused: z.object({ since: moment, by: actor.nullable(), reason: z.string().nullable() }).nullable(),
  /**
   * A rejected run of the same workflow that ended at most 7 days before this run was started. The person who started
   * this run had cancelled the other one, or had started it before it failed.
   */
  restartOf: z
    .object({
      runId: id,
      name: z.string(),
      /** When the run was cancelled or, if `isFailed` is set, when the rejection ended it. */
      cancelledAt: moment,
      isFailed: z.boolean(),
    })
    .nullable(),
  history: z.array(historyEntry),
  steps: z.array(runStep),
  workflow: z.object({ key: z.string(), title: z.string(), description: z.string(), steps: z.array(step) }),
  abilities: z.object({ pause: z.boolean(), resume: z.boolean(), cancel: z.boolean(), exportAudit: z.boolean() }),
});
export type Run = z.infer<typeof run>;
