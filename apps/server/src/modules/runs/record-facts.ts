import { actionOfFact } from '@stet/domain/audit';
import {
  type RunFact,
  type RunState,
  type RunWorkflow,
  endOf,
  holdersOf,
  namesNow,
  nextCrossingAt,
  nextDueAt,
  progressOf,
  slaMomentsOf,
  slaStateAt,
  stepStateOf,
  waitingSteps,
} from '@stet/domain/runs';
import type { WorkCalendar } from '@stet/domain/sla';
import { digestOf } from '../../kernel/digest.ts';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import type { RunContext } from '../../kernel/recorded-event.ts';
import { appendAudit } from '../audit/index.ts';
import { listFactsOf } from './list-facts.ts';
import { openTasks, saveStepsAndTasks } from './runs.sql.ts';
import { jobsFor } from './step-jobs.ts';

export type Recorded = {
  orgId: string;
  runId: string;
  runName: string;
  sessionId: string | null;
  workflow: RunWorkflow;
  /** The working hours of the organization, or null if SLAs run around the clock. */
  calendar: WorkCalendar | null;
  state: RunState;
  facts: readonly RunFact[];
  isSmall: boolean;
  /** Data for notifications that the facts don't contain. */
  about?: Pick<RunContext, 'alsoAtBreach' | 'comment' | 'message'> | undefined;
};

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** The columns of a run that are derived from its state. */
export function columnsOf(workflow: RunWorkflow, state: RunState) {
  const moments = slaMomentsOf(state);
  return {
    status: state.status,
    state,
    summary: listFactsOf(workflow, state),
    steps_completed: progressOf(workflow, state).completed,
    target_ms: state.targetMs,
    has_clock: moments.hasClock,
    at_risk_at: date(moments.atRiskAt),
    breach_at: date(moments.breachAt),
    clock_stopped_at: date(moments.stoppedAt),
    ended_at: date(endOf(state)),
    next_crossing_at: date(nextCrossingAt(state)),
    next_due_at: date(nextDueAt(workflow, state)),
    sla_state: slaStateAt(moments, state.updatedAt) ?? 'none',
    rejected: Object.values(state.steps).some((step) => 'rejected' in step && step.rejected !== undefined),
  };
}

/** Writes everything that the facts of a command require: step rows, tasks, jobs and audit events. */
export function recordFacts(tx: Tx, recorded: Recorded): void {
  saveChangedSteps(tx, recorded);
  enqueueJobs(tx, jobsFor(recorded, recorded.facts));
  appendFacts(tx, recorded);
}

function contextOf({
  runName,
  workflow,
  state,
  isSmall,
  about = {},
}: Recorded): (fact: RunFact, at: number) => RunContext {
  const { comment, ...rest } = about;
  return (fact, at) => ({ runName, workflow, state, fact, isSmall, ...rest, ...(at === 0 && comment && { comment }) });
}

function saveChangedSteps(tx: Tx, { orgId, runId, workflow, calendar, state, facts }: Recorded): void {
  const tasks = tasksOf(workflow, state, calendar);
  tx.write(saveStepsAndTasks, {
    orgId,
    runs: [{ run_id: runId, steps: changedSteps(workflow, state, facts), tasks }],
  });
  if (tasks.some((task) => 'otherwise' in task && task.otherwise !== task.who))
    tx.write(openTasks, { orgId, runs: [runId] });
}

function appendFacts(tx: Tx, recorded: Recorded): void {
  const { runId, sessionId, state, facts } = recorded;
  const contextAt = contextOf(recorded);
  appendAudit(
    tx,
    facts.map((fact, at) => ({
      actor: fact.by,
      action: actionOfFact(fact.type),
      subject: { type: 'run', id: runId },
      runId,
      ...(sessionId && { sessionId }),
      ...(at === facts.length - 1 && { stateHash: digestOf(state) }),
      data: dataOf(fact),
      context: contextAt(fact, at),
    })),
  );
}

function dataOf(fact: RunFact) {
  const { by: _, ...data } = fact;
  return data;
}

function tasksOf(workflow: RunWorkflow, state: RunState, calendar: WorkCalendar | null) {
  return waitingSteps(workflow, state, calendar).flatMap(
    ({
      stepId,
      dueAt,
      riskAt,
      who,
      exceptIds,
      rejectIds,
      uncertainDoerIds,
      doerIds,
      giverIds,
      needs,
      isDecision,
      standInAt,
    }) => {
      const clock = { due_at: date(dueAt), at_risk_at: date(riskAt) };
      const except = {
        except_ids: exceptIds,
        ...(rejectIds.length > 0 && { reject_ids: rejectIds }),
        ...(doerIds.length > 0 && { doer_ids: doerIds }),
        ...(uncertainDoerIds.length > 0 && { uncertain_doer_ids: uncertainDoerIds }),
        ...(giverIds.length > 0 && { giver_ids: giverIds }),
      };
      const task = { step_id: stepId, ...clock, ...except, is_decision: isDecision };
      const named = who.map((name) => ({ who: name, needs: needs.people, otherwise: needs.otherwise, ...task }));
      return standInAt === null ? named : [...named, { who: needs.otherwise, opens_at: date(standInAt), ...task }];
    },
  );
}

function changedSteps(workflow: RunWorkflow, state: RunState, facts: readonly RunFact[]) {
  const touched = new Set(facts.flatMap((fact) => ('activation' in fact ? [fact.stepId] : [])));
  // When a run is resumed or cancelled, the clocks of all its active steps move or stop.
  const clocksMoved = facts.some(({ type }) => type === 'run_resumed' || type === 'run_cancelled');
  return workflow.steps.flatMap((planned) => {
    const { id, title, type } = planned;
    const step = stepStateOf(state, id);
    const isTouched = touched.has(id) || (clocksMoved && step?.state === 'active');
    // A step that was never active has no row.
    if (!step || !isTouched || step.activation === 0) return [];
    const held = state.status === 'cancelled' ? [] : holdersOf(step);
    const clock = 'clock' in step ? step.clock : 'activatedAt' in step ? step : null;
    return [
      {
        step_id: id,
        activation: step.activation,
        state: state.status === 'cancelled' && step.state === 'active' ? 'waiting' : step.state,
        title,
        type,
        assignee: namesNow(state, planned).assignee,
        activated_at: date(clock?.activatedAt ?? null),
        due_at: date(clock?.dueAt ?? null),
        ...(held.length > 0 && { held_by: held }),
      },
    ];
  });
}
