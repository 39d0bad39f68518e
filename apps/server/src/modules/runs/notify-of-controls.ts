import { namedBy } from '@stet/domain/access';
import { type RunFact, type RunState, type RunWorkflow, peopleBehind, personBehind } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';
import { type Notice, leaveNotices } from '../../db/notices.ts';
import type { Tx } from '../../kernel/database.ts';

type Recorded = {
  orgId: string;
  runId: string;
  runName: string;
  workflow: RunWorkflow;
  state: RunState;
  facts: readonly RunFact[];
};

/** Notifies owners and the starter of a pause, and those a step names of a decision that someone took for them. */
export function notifyOfControls(tx: Tx, recorded: Recorded): void {
  const { orgId, facts } = recorded;
  const notices = facts.flatMap((fact) => noticeOfPause(fact, recorded) ?? noticeOfStandIn(fact, recorded) ?? []);
  leaveNotices(tx, orgId, notices);
}

function noticeOfPause(fact: RunFact, { runId, runName, state }: Recorded): Notice | null {
  const starter = personBehind(state.startedBy);
  if (fact.type === 'run_paused') {
    const why = fact.reason ? `: ${isolated(fact.reason)}` : '. No reason was given.';
    return {
      source: `paused:${runId}:${fact.at}`,
      kind: 'run_paused',
      title: `${isolated(runName)} is paused`,
      body: `${isolated(fact.by.name)} paused this run${why}`,
      runId,
      to: { userIds: [starter], roles: ['owner'], exceptIds: peopleBehind(fact.by) },
    };
  }
  if (fact.type !== 'run_pause_escalated') return null;
  return {
    source: `pause_escalated:${runId}:${fact.pausedSince}`,
    kind: 'pause_escalated',
    title: `${isolated(runName)} is still paused`,
    body: 'This run has been paused for more than 7 days. Resume it or cancel it.',
    runId,
    to: { userIds: [starter], roles: ['owner', 'admin'] },
  };
}

const DECIDED: Partial<Record<RunFact['type'], string>> = {
  step_approved: 'approved',
  step_rejected: 'rejected',
  step_skip_agreed: 'agreed to skip',
  step_skipped: 'skipped',
};

function noticeOfStandIn(fact: RunFact, { runId, runName, workflow }: Recorded): Notice | null {
  const decided = DECIDED[fact.type];
  if (decided === undefined || !('actsFor' in fact)) return null;
  const { actsFor, stepId } = fact;
  const step = workflow.steps.find(({ id }) => id === stepId);
  if (!step || (actsFor !== 'too_few' && actsFor !== 'overdue')) return null;
  const why = actsFor === 'overdue' ? 'it was long overdue' : 'too few of you could';
  return {
    source: `stood_in:${runId}:${stepId}:${fact.activation}:${fact.by.id}:${fact.type}`,
    kind: 'decided_for_you',
    title: step.title,
    body: `${isolated(fact.by.name)} ${decided} this step of “${isolated(runName)}” for you, since ${why}.`,
    runId,
    stepId,
    to: { ...namedBy(step), exceptIds: peopleBehind(fact.by) },
  };
}
