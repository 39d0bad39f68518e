import { isolated } from '@stet/domain/workflows';
import { actionOfFact } from '@stet/domain/audit';
import {
  type RunFact,
  type RunState,
  type RunWorkflow,
  endOf,
  nextCrossingAt,
  personBehind,
  progressOf,
  slaMomentsOf,
  slaStateAt,
  stepStateOf,
  waitingSteps,
} from '@stet/domain/runs';
import type { WorkCalendar } from '@stet/domain/sla';
import { appendAudit } from '../../db/append-audit.ts';
import { leaveNotices } from '../../db/notices.ts';
import { leaveJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import { refreshInSlack } from '../integrations/reads.ts';
import { listFactsOf } from './list-facts.ts';
import { notifyOfControls } from './notify-of-controls.ts';
import { openTasks, saveRun, saveRunSteps, saveTasks } from './runs.sql.ts';
import { jobsFor } from './step-jobs.ts';
import { tellOfSubmissions } from './tell-of-submissions.ts';

type Recorded = {
  orgId: string;
  runId: string;
  runName: string;
  sessionId: string | null;
  workflow: RunWorkflow;
  /** The organization's working hours; null for the clock on the wall. */
  calendar: WorkCalendar | null;
  state: RunState;
  facts: readonly RunFact[];
};

const date = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** The columns of a run that follow from its state. */
export function columnsOf(workflow: RunWorkflow, state: RunState) {
  const moments = slaMomentsOf(state);
  return {
    status: state.status,
    state: JSON.stringify(state),
    summary: JSON.stringify(listFactsOf(workflow, state)),
    stepsCompleted: progressOf(workflow, state).completed,
    targetMs: state.targetMs,
    hasClock: moments.hasClock,
    atRiskAt: date(moments.atRiskAt),
    breachAt: date(moments.breachAt),
    clockStoppedAt: date(moments.stoppedAt),
    endedAt: date(endOf(state)),
    nextCrossingAt: date(nextCrossingAt(state)),
    slaState: slaStateAt(moments, state.updatedAt) ?? 'none',
    rejected: Object.values(state.steps).some((step) => 'rejected' in step && step.rejected !== undefined),
  };
}

/** Saves what a decision did to a run that is there already. */
export function saveDecided(tx: Tx, recorded: Recorded): void {
  const { orgId, runId, workflow, state } = recorded;
  tx.write(saveRun, { orgId, id: runId, ...columnsOf(workflow, state) });
  recordFacts(tx, recorded);
}

/** Writes what follows from facts: the rows of the steps, the jobs that they ask for, and the record of it, last. */
export function recordFacts(tx: Tx, recorded: Recorded): void {
  saveChangedSteps(tx, recorded);
  leaveJobs(tx, jobsFor(recorded, recorded.facts));
  refreshInSlack(tx, { ...recorded, steps: settledSteps(recorded) });
  tellOfFailure(tx, recorded);
  tellOfSubmissions(tx, recorded);
  notifyOfControls(tx, recorded);
  appendFacts(tx, recorded);
}

/** As `recordFacts`, of what happened some time ago: nobody is told any more that a step waits for them. */
export function recordPastFacts(tx: Tx, recorded: Recorded): void {
  saveChangedSteps(tx, recorded);
  appendFacts(tx, recorded);
}

/** Activations that people may have been told of elsewhere, and that don't wait as they did. */
const SETTLES: ReadonlySet<RunFact['type']> = new Set([
  'step_submitted',
  'step_returned',
  'step_rejected',
  'step_completed',
  'step_failed',
  'step_skipped',
  'step_reset',
]);

function settledSteps({ workflow, state, facts }: Recorded): { stepId: string; activation: number }[] {
  const isCancelled = facts.some(({ type }) => type === 'run_cancelled');
  const touched = new Set(
    facts.flatMap((fact) => (SETTLES.has(fact.type) && 'activation' in fact ? [fact.stepId] : [])),
  );
  return workflow.steps.flatMap(({ id: stepId, type }) => {
    const step = stepStateOf(state, stepId);
    const isTold = (type === 'manual' || type === 'approval') && step !== undefined && step.activation > 0;
    const isSettled = touched.has(stepId) || (isCancelled && step?.state === 'active');
    return isTold && isSettled ? [{ stepId, activation: step.activation }] : [];
  });
}

/** Whoever started a run hears of its failure, unless it is their own doing. */
function tellOfFailure(tx: Tx, { orgId, runId, runName, state, facts }: Recorded): void {
  const failure = facts.find((fact) => fact.type === 'run_failed');
  if (!failure || personBehind(failure.by) === personBehind(state.startedBy)) return;
  leaveNotices(tx, orgId, [
    {
      source: `failed:${runId}:${failure.at}`,
      kind: 'run_failed',
      title: `${isolated(runName)} has failed`,
      body: `Step failed: ${isolated(failure.reason)}`,
      runId,
      stepId: failure.stepId,
      to: { userIds: [personBehind(state.startedBy)] },
    },
  ]);
}

function saveChangedSteps(tx: Tx, { orgId, runId, workflow, calendar, state, facts }: Recorded): void {
  const tasks = tasksOf(workflow, state, calendar);
  tx.write(saveTasks, { orgId, runId, tasks: JSON.stringify(tasks) });
  if (tasks.length > 0) tx.write(openTasks, { orgId, runId });
  const steps = changedSteps(workflow, state, facts);
  if (steps.length > 0) tx.write(saveRunSteps, { orgId, runId, steps: JSON.stringify(steps) });
}

function appendFacts(tx: Tx, { runId, sessionId, facts }: Recorded): void {
  appendAudit(
    tx,
    facts.map(({ by, ...fact }) => ({
      actor: by,
      action: actionOfFact(fact.type),
      subject: { type: 'run', id: runId },
      runId,
      ...(sessionId && { sessionId }),
      data: fact,
    })),
  );
}

function tasksOf(workflow: RunWorkflow, state: RunState, calendar: WorkCalendar | null) {
  return waitingSteps(workflow, state, calendar).flatMap(
    ({ stepId, dueAt, riskAt, who, exceptIds, needs, isDecision, standInAt }) => {
      const clock = { due_at: date(dueAt), at_risk_at: date(riskAt) };
      const task = { step_id: stepId, ...clock, except_ids: exceptIds, is_decision: isDecision };
      const named = who.map((name) => ({ ...task, who: name, needs: needs.people, otherwise: needs.otherwise }));
      return standInAt === null ? named : [...named, { ...task, who: needs.otherwise, opens_at: date(standInAt) }];
    },
  );
}

function changedSteps(workflow: RunWorkflow, state: RunState, facts: readonly RunFact[]) {
  const touched = new Set(facts.flatMap((fact) => ('activation' in fact ? [fact.stepId] : [])));
  // A pause and what ends it move the clocks of all that is active.
  const clocksMoved = facts.some(({ type }) => type === 'run_resumed' || type === 'run_cancelled');
  return workflow.steps.flatMap(({ id, title, type, assignee }) => {
    const step = stepStateOf(state, id);
    const isTouched = touched.has(id) || (clocksMoved && step?.state === 'active');
    // What was never active is nobody's task.
    if (!step || !isTouched || step.activation === 0) return [];
    const clock = 'clock' in step ? step.clock : 'activatedAt' in step ? step : null;
    return [
      {
        step_id: id,
        activation: step.activation,
        state: state.status === 'cancelled' && step.state === 'active' ? 'waiting' : step.state,
        title,
        type,
        assignee,
        activated_at: date(clock?.activatedAt ?? null),
        due_at: date(clock?.dueAt ?? null),
      },
    ];
  });
}
