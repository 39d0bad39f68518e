import type { HistoryEntry, OkOf, RunStep, RunSummary, SlaState } from '@stet/contract';
import { mayActOnStep } from '@stet/domain/access';
import type { AuditRecord } from '@stet/domain/audit';
import {
  type RunFact,
  type RunState,
  type StepState,
  currentStepIds,
  displayStates,
  durationMs,
  endOf,
  historyEntry,
  nextSteps,
  progressOf,
  requiredVotes,
  slaStateAt,
  slaStateOfRun,
  slaStatus,
  stepStateOf,
  trendOf,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import type { ListedClock } from './list-facts.ts';
import type { ListedRunRow, RunRow } from './runs.sql.ts';

export type PresentedRun = OkOf<'GET /api/runs/{id}'>;

const iso = (ms: number | null | undefined): string | null =>
  ms === null || ms === undefined ? null : new Date(ms).toISOString();

type Shown = {
  row: BasicRow & Pick<RunRow, 'metadata' | 'steps'>;
  /** Where it differs from the row's: what a decision has made of it. */
  state: RunState;
  /** The database's clock, epoch milliseconds. */
  now: number;
  history: readonly { payload: string | null }[];
  newFacts?: readonly RunFact[];
  actor: OrgActor;
};

/** A run with its steps and history, and what this person may do with it (specification, section 3). */
export function presentRun({ row, state, now, history, newFacts = [], actor }: Shown): PresentedRun {
  const workflow = { steps: row.steps };
  const mayControl = actor.permissions.includes('run.control');
  const isOpen = state.status === 'running' || state.status === 'paused';
  return {
    ...basics(row),
    status: state.status,
    slaState: slaStateOfRun(state, now),
    trend: trendOf(workflow, state),
    durationMs: durationMs(state, now),
    sla: { targetMs: state.targetMs },
    nextSteps: nextSteps(workflow, state),
    currentStepIds: currentStepIds(workflow, state),
    slaStatus: slaStatus(workflow, state, now),
    stepsTotal: row.steps.length,
    stepsCompleted: progressOf(workflow, state).completed,
    startedBy: presentActor(state.startedBy),
    completedAt: iso(endOf(state)),
    now,
    history: [...history.flatMap(recordedEntry), ...newFacts.map(entryOf)],
    steps: presentSteps(row.steps, state, now, actor),
    workflow: {
      key: row.workflow_key,
      title: row.metadata.title,
      description: row.metadata.description,
      steps: row.steps,
    },
    abilities: {
      pause: mayControl && state.status === 'running',
      resume: mayControl && state.status === 'paused',
      cancel: mayControl && isOpen,
      exportAudit: actor.permissions.includes('audit.export'),
    },
  };
}

/** A run as lists show it; the state of its clocks is that of `now`, epoch milliseconds. */
export function presentListedRun(row: ListedRunRow, now: number): RunSummary {
  const { startedBy, pausedMs, clocks, ...facts } = row.summary;
  const stoppedAt = row.clock_stopped_at?.getTime() ?? null;
  const at = stoppedAt ?? now;
  const moments = {
    hasClock: row.has_clock,
    atRiskAt: row.at_risk_at?.getTime() ?? null,
    breachAt: row.breach_at?.getTime() ?? null,
    stoppedAt,
  };
  return {
    ...basics(row),
    ...facts,
    slaState: slaStateAt(moments, now),
    slaStatus: clocks.map((clock) => ({ stepId: clock.stepId, state: clockState(clock, at) })),
    durationMs: Math.max(0, at - row.created_at.getTime() - pausedMs),
    sla: { targetMs: row.target_ms },
    stepsTotal: row.steps_total,
    stepsCompleted: row.steps_completed,
    startedBy: presentActor(startedBy),
    completedAt: row.ended_at?.toISOString() ?? null,
  };
}

function clockState(clock: ListedClock, at: number): SlaState {
  if ('verdict' in clock) return clock.verdict;
  if (at > clock.dueAt) return 'breached';
  return at >= clock.atRiskAt ? 'at_risk' : 'on_track';
}

type BasicRow = Pick<
  ListedRunRow,
  'id' | 'name' | 'description' | 'priority' | 'workflow_key' | 'workflow_title' | 'version' | 'status' | 'created_at'
>;

const basics = (row: BasicRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  priority: row.priority,
  workflowKey: row.workflow_key,
  workflowTitle: row.workflow_title,
  workflowVersion: row.version,
  status: row.status,
  createdAt: row.created_at.toISOString(),
});

type ActorLike = { id: string; name: string; email?: string | undefined; kind: 'user' | 'system' };
const presentActor = ({ id, name, email, kind }: ActorLike) => ({
  id,
  name,
  email: email === '' ? null : (email ?? null),
  kind,
});

function entryOf(fact: RunFact): HistoryEntry {
  const { stepId, action, at, actor, data } = historyEntry(fact);
  return { stepId, action, at: new Date(at).toISOString(), actor: presentActor(actor), data };
}

/** History is read from the audit trail; an event whose payload was erased shows nothing, and its exports aren't facts of the run. */
function recordedEntry({ payload }: { payload: string | null }): HistoryEntry[] {
  if (payload === null) return [];
  const { actor, action, data } = JSON.parse(payload) as AuditRecord;
  if (!action.startsWith('run.') && !action.startsWith('step.')) return [];
  return [entryOf({ ...data, by: { ...actor, email: actor.email ?? '' } } as RunFact)];
}

function presentSteps(steps: readonly Step[], state: RunState, now: number, actor: OrgActor): RunStep[] {
  const workflow = { steps };
  const display = displayStates(workflow, state);
  const clocks = new Map(slaStatus(workflow, state, now).map(({ stepId, state: sla }) => [stepId, sla]));
  const user = { id: actor.userId, email: actor.email, orgRole: actor.orgRole };
  return steps.map((step, n): RunStep => {
    const current = stepStateOf(state, step.id);
    const may = mayActOnStep({ permissions: actor.permissions, user, step }) && state.status === 'running';
    return {
      id: step.id,
      title: step.title,
      type: step.type,
      description: step.description,
      assignee: step.assignee,
      sla: step.sla,
      state: display[n]?.state ?? 'blocked',
      slaState: clocks.get(step.id) ?? null,
      ...(current ? told(current) : UNTOLD),
      approvals: approvalsOf(step, current),
      abilities: {
        ...abilitiesOf(step, current, may, actor.userId),
        retry: current?.state === 'failed' && state.status === 'failed' && actor.permissions.includes('run.control'),
      },
    };
  });
}

type Told = Pick<
  RunStep,
  'activatedAt' | 'dueAt' | 'completedAt' | 'completedBy' | 'output' | 'reason' | 'submittedBy'
>;
const UNTOLD: Told = {
  activatedAt: null,
  dueAt: null,
  completedAt: null,
  completedBy: null,
  output: null,
  reason: null,
  submittedBy: null,
};

function told(step: StepState): Told {
  switch (step.state) {
    case 'waiting':
      return UNTOLD;
    case 'active':
      return {
        ...UNTOLD,
        activatedAt: iso(step.activatedAt),
        dueAt: iso(step.dueAt),
        reason: step.returned?.comments ?? null,
        output: step.submitted?.output ?? null,
        submittedBy: step.submitted ? presentActor(step.submitted.by) : null,
      };
    case 'completed':
      return {
        ...UNTOLD,
        activatedAt: iso(step.activatedAt),
        dueAt: iso(step.dueAt),
        completedAt: iso(step.completedAt),
        completedBy: presentActor(step.by),
        output: step.output,
      };
    case 'skipped':
      return {
        ...UNTOLD,
        activatedAt: iso(step.clock?.activatedAt),
        dueAt: iso(step.clock?.dueAt),
        completedAt: iso(step.skippedAt),
        completedBy: presentActor(step.by),
        reason: step.reason,
      };
    case 'failed':
      return {
        ...UNTOLD,
        activatedAt: iso(step.activatedAt),
        dueAt: iso(step.dueAt),
        completedAt: iso(step.failedAt),
        reason: step.reason,
      };
  }
}

function approvalsOf(step: Step, state: StepState | undefined): RunStep['approvals'] {
  if (step.type !== 'approval') return null;
  const votes = state?.state === 'active' || state?.state === 'completed' ? state.votes : [];
  return { required: requiredVotes(step), by: votes.map((vote) => presentActor(vote.by)) };
}

function abilitiesOf(step: Step, state: StepState | undefined, may: boolean, userId: string) {
  const active = may && state?.state === 'active' ? state : null;
  const isApproval = step.type === 'approval';
  const hasVoted = active?.votes.some((vote) => vote.by.id === userId) ?? false;
  const decidesInput = active?.submitted ? active.submitted.by.id !== userId : false;
  return {
    complete: active !== null && step.type === 'manual' && !active.submitted,
    approve: active !== null && ((isApproval && !hasVoted) || decidesInput),
    reject: active !== null && (isApproval || decidesInput),
    skip: active !== null,
  };
}
