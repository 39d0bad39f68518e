import { STARTER } from '@stet/domain/access';
import type { SlaState } from '@stet/domain/sla';
import type { HistoryEntry, OkOf, RunSummary } from '@stet/contract';
import type { AuditRecord } from '@stet/domain/audit';
import {
  HELPERS,
  type RunFact,
  type RunState,
  currentStepIds,
  durationMs,
  endOf,
  failureMessage,
  historyEntry,
  nextDueAt,
  nextSteps,
  progressOf,
  slaStateAt,
  slaStateOfRun,
  slaStatus,
  trendOf,
} from '@stet/domain/runs';
import { presentEmergency } from '../workflows/index.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import { iso, presentActor } from './actor.presenter.ts';
import type { DelegatedAccess } from './delegated-access.ts';
import { type CurrentStep, type ListedClock, currentStepsOf, marksIn, simulatedStepsOf } from './list-facts.ts';
import { historyOfNote } from './notes.ts';
import { presentSteps } from './run-steps.presenter.ts';
import type { ListedRunRow, RunRow } from './runs.sql.ts';
import type { StepAccess } from './step-access.ts';

export type PresentedRun = OkOf<'GET /api/runs/{id}'>;

type Shown = {
  row: BasicRow & Pick<RunRow, 'metadata' | 'steps' | 'emergency' | 'strict' | 'revision'>;
  /** The state to show. After a decision, this is the new state, not the row's. */
  state: RunState;
  /** The database's time, in epoch milliseconds. */
  now: number;
  /** The audit events of the run, as in `RunHistory`. */
  history: readonly (AuditRecord | null)[];
  newFacts?: readonly RunFact[];
  actor: OrgActor;
  access: StepAccess;
  delegated: readonly DelegatedAccess[];
};

/** A run with its steps and history, and the actor's abilities on it (specification, section 3). */
export function presentRun({ row, state, now, history, newFacts = [], actor, access, delegated }: Shown): PresentedRun {
  const workflow = { steps: row.steps };
  const canControl = actor.permissions.includes('run.control');
  const current = currentStepIds(workflow, state);
  const clocks = slaStatus(workflow, state, now);
  return {
    revision: row.revision,
    ...basics(row),
    status: state.status,
    slaState: slaStateOfRun(state, now),
    trend: trendOf(workflow, state),
    durationMs: durationMs(state, now),
    sla: { targetMs: state.targetMs },
    nextSteps: nextSteps(workflow, state),
    currentStepIds: current,
    currentSteps: presentCurrentSteps(currentStepsOf(workflow, state, current)),
    dueAt: iso(nextDueAt(workflow, state)),
    slaStatus: clocks,
    stepsTotal: row.steps.length,
    stepsCompleted: progressOf(workflow, state).completed,
    simulatedSteps: simulatedStepsOf(workflow, state),
    marks: marksIn(state),
    startedBy: presentActor(state.startedBy),
    completedAt: iso(endOf(state)),
    emergency: presentEmergency(row.emergency),
    now,
    failure:
      state.status === 'failed'
        ? { stepId: state.stepId, reason: state.reason, message: failureMessage(state) ?? '' }
        : null,
    paused: state.status === 'paused' ? presentPause(state) : null,
    restartOf: state.restartOf
      ? {
          ...state.restartOf,
          isFailed: state.restartOf.isFailed === true,
          cancelledAt: new Date(state.restartOf.cancelledAt).toISOString(),
        }
      : null,
    history: [...history.flatMap(recordedEntry), ...newFacts.flatMap(entryOf)],
    steps: presentSteps({
      steps: row.steps,
      state,
      clocks,
      actor,
      access,
      delegated,
      isStrict: row.strict,
    }),
    workflow: {
      key: row.workflow_key,
      title: row.metadata.title,
      description: row.metadata.description,
      steps: row.steps,
    },
    abilities: {
      pause: canControl && state.status === 'running',
      resume: canControl && state.status === 'paused',
      cancel: canControl && endOf(state) === null,
      exportAudit: actor.permissions.includes('audit.export'),
    },
  };
}

const presentPause = ({
  pausedSince,
  by,
  reason,
}: Extract<RunState, { status: 'paused' }>): PresentedRun['paused'] => ({
  since: new Date(pausedSince).toISOString(),
  by: by ? presentActor(by) : null,
  reason: reason ?? null,
});

/** A run as lists show it. Its clocks are evaluated at `now`, in epoch milliseconds. */
export function presentListedRun(row: ListedRunRow, now: number): RunSummary {
  const { startedBy, pausedMs, clocks, simulatedSteps = null, marks = null, currentSteps = [], ...facts } = row.summary;
  const stoppedAt = row.clock_stopped_at?.getTime() ?? null;
  const at = stoppedAt ?? now;
  const moments = {
    hasClock: row.has_clock,
    atRiskAt: row.at_risk_at?.getTime() ?? null,
    breachAt: row.breach_at?.getTime() ?? null,
    stoppedAt,
  };
  return {
    simulatedSteps,
    ...basics(row),
    ...facts,
    currentSteps: presentCurrentSteps(currentSteps),
    dueAt: row.next_due_at?.toISOString() ?? null,
    slaState: slaStateAt(moments, now),
    slaStatus: clocks.map((clock) => ({ stepId: clock.stepId, state: clockState(clock, at) })),
    // A failed run's duration ends with the failure, although its clocks continue.
    durationMs: Math.max(0, (row.ended_at?.getTime() ?? at) - row.created_at.getTime() - pausedMs),
    sla: { targetMs: row.target_ms },
    stepsTotal: row.steps_total,
    stepsCompleted: row.steps_completed,
    marks,
    startedBy: presentActor(startedBy),
    completedAt: row.ended_at?.toISOString() ?? null,
  };
}

const presentCurrentSteps = (steps: readonly CurrentStep[]): RunSummary['currentSteps'] =>
  steps.map((step) => ({ ...step, waitsFor: [...new Set(step.waitsFor.flatMap(nameOf))] }));

/**
 * The names that the API shows for the stored `who` of a task. Helpers are shown as editors and admins. An id that is
 * left can only be the starter's, because `currentStepsOf` has replaced those of claims and hand-overs with addresses.
 */
function nameOf(who: string): string[] {
  if (who.startsWith('role:')) return [who.slice('role:'.length)];
  if (who === HELPERS) return ['editor', 'admin'];
  if (who.startsWith('user:')) return [STARTER];
  return [who.startsWith('permission:') ? 'Unassigned' : who];
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

function entryOf(fact: RunFact): HistoryEntry[] {
  const entry = historyEntry(fact);
  if (!entry) return [];
  const { stepId, action, at, actor, data } = entry;
  return [{ stepId, action, at: new Date(at).toISOString(), actor: presentActor(actor), data }];
}

/**
 * Presents an entry of the audit trail as an entry of the run's history. Omits erased events, and events that are
 * neither facts of the run nor notes, such as exports.
 */
function recordedEntry(record: AuditRecord | null): HistoryEntry[] {
  if (record === null) return [];
  const { actor, action, data } = record;
  if (action === 'note.added') return [historyOfNote(record)];
  if (!/^(?:run|step|sla)\./.test(action)) return [];
  return entryOf({ by: { ...actor, email: actor.email ?? '' }, ...data } as RunFact);
}
