import type { RunStep } from '@stet/contract';
import {
  type RunState,
  type RunWorkflow,
  type StepState,
  displayStates,
  isDecision,
  isSamePerson,
  requiredVotes,
  skipRefusal,
  skipVotesNeeded,
  slaStatus,
  stepStateOf,
  voteRefusal,
} from '@stet/domain/runs';
import { type Step, isSimulated } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import { iso, presentActor } from './actor.presenter.ts';
import { runActorOf } from './run-actor.ts';
import { namesIn, type StepAccess } from './step-access.ts';

type Shown = {
  steps: readonly Step[];
  state: RunState;
  /** The database's clock, epoch milliseconds. */
  now: number;
  actor: OrgActor;
  access: StepAccess;
};

/** The steps of a run in row order, and what this person may do with each. */
export function presentSteps({ steps, state, now, actor, access }: Shown): RunStep[] {
  const workflow = { steps };
  const display = displayStates(workflow, state);
  const clocks = new Map(slaStatus(workflow, state, now).map(({ stepId, state: sla }) => [stepId, sla]));
  return steps.map((step, n): RunStep => {
    const current = stepStateOf(state, step.id);
    const isActive = state.status === 'running' && current?.state === 'active';
    const how = isActive ? access.howMayAct(step) : null;
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
      fields: step.type === 'manual' ? (step.config.fields ?? []) : [],
      requiresApproval: step.type === 'manual' && step.config.requiresApproval === true,
      approvals: approvalsOf(step, current),
      skip: skipOf(step, current),
      rejection: rejectionOf(current),
      simulated: isSimulated(step),
      report: current?.state === 'completed' ? current.report : null,
      actsFor: how === 'named' ? null : how,
      assignedTo: namesIn(step) || null,
      abilities: {
        ...(isActive ? abilitiesOf({ workflow, state, step, actor, access }) : NO_ABILITIES),
        retry: current?.state === 'failed' && access.mayRetry,
      },
    };
  });
}

function skipOf(step: Step, state: StepState | undefined): RunStep['skip'] {
  const votes = state?.state === 'active' ? (state.skipVotes ?? []) : [];
  return {
    required: skipVotesNeeded(step),
    votes: votes.map(({ by, at, reason }) => ({ by: presentActor(by), at: new Date(at).toISOString(), reason })),
  };
}

function rejectionOf(state: StepState | undefined): RunStep['rejection'] {
  const rejected = state && 'rejected' in state ? state.rejected : undefined;
  if (!rejected) return null;
  const { by, at, comments, retriedAlone = false } = rejected;
  return { by: by ? presentActor(by) : null, at: new Date(at).toISOString(), comments, retriedAlone };
}

type Told = Pick<
  RunStep,
  'activatedAt' | 'dueAt' | 'completedAt' | 'completedBy' | 'completedFor' | 'output' | 'reason' | 'submittedBy'
>;
const UNTOLD: Told = {
  activatedAt: null,
  dueAt: null,
  completedAt: null,
  completedBy: null,
  completedFor: null,
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
        completedFor: step.actsFor ?? null,
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
  return {
    required: requiredVotes(step),
    by: votes.map((vote) => presentActor(vote.by)),
    votes: votes.map(({ by, at, comments, actsFor = null }) => ({
      by: presentActor(by),
      at: new Date(at).toISOString(),
      comments,
      actsFor,
    })),
  };
}

const NO_ABILITIES = { complete: false, approve: false, reject: false, skip: false };

type Asked = Omit<Shown, 'steps' | 'now'> & { workflow: RunWorkflow; step: Step };

/** The actor's abilities on this step, which is active. */
function abilitiesOf({ workflow, state, step, actor, access }: Asked): typeof NO_ABILITIES {
  const current = stepStateOf(state, step.id);
  if (current?.state !== 'active') return NO_ABILITIES;
  const runActor = runActorOf(actor);
  const isPerson = actor.token?.kind !== 'organization';
  const mayAct = access.howMayAct(step) !== null;
  const maySkip = access.howMayAct(step, 'skip') !== null && (access.mayDecide || !isDecision(step, 'skip'));
  const mayVote = step.type === 'approval' && voteRefusal(workflow, state, step, runActor) === null;
  const decidesInput = current.submitted !== null && isPerson && !isSamePerson(current.submitted.by, runActor);
  const mayDecide = mayAct && access.mayDecide && (mayVote || decidesInput);
  return {
    complete: mayAct && step.type === 'manual' && !current.submitted,
    approve: mayDecide,
    reject: mayDecide,
    skip: maySkip && isPerson && skipRefusal(workflow, state, step, runActor) === null,
  };
}
