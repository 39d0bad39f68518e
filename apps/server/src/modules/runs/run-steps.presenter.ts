import type { RunStep } from '@stet/contract';
import {
  type ActiveStep,
  type RunState,
  type RunWorkflow,
  type StepState,
  displayStates,
  giversIn,
  marksOfStep,
  namesNow,
  notCounted,
  requiredVotes,
  skipRefusal,
  skipVotesNeeded,
  type slaStatus,
  stepStateOf,
  usedShareOf,
  voteRefusal,
} from '@stet/domain/runs';
import { type Step, isSimulated } from '@stet/domain/steps';
import { answerTo } from '../../http/refusals.ts';
import type { OrgActor } from '../../kernel/actor.ts';
import type { Refusal } from '../../kernel/refused.ts';
import { iso, presentActor } from './actor.presenter.ts';
import { claimRefusals, isTheirsAlone } from './claim-access.ts';
import type { DelegatedAccess } from './delegated-access.ts';
import { namesIn, type StepAccess } from './step-access.ts';

type Shown = {
  steps: readonly Step[];
  state: RunState;
  /** The SLA states of the steps that have one. */
  clocks: ReturnType<typeof slaStatus>;
  actor: OrgActor;
  access: StepAccess;
  delegated: readonly DelegatedAccess[];
  isStrict: boolean;
};

/** The steps of a run in row order, each with the actor's abilities on it. */
export function presentSteps({ steps, state, clocks, actor, access, delegated, isStrict }: Shown): RunStep[] {
  const workflow = { steps };
  const display = displayStates(workflow, state);
  const slaStates = new Map(clocks.map(({ stepId, state: sla }) => [stepId, sla]));
  return steps.map((step, n): RunStep => {
    const current = stepStateOf(state, step.id);
    const names = namesNow(state, step);
    const isActive = state.status === 'running' && current?.state === 'active';
    const how = isActive ? access.howMayAct(step) : null;
    const refusals = isActive ? refusalsOf({ workflow, state, step, active: current, access, isStrict }) : null;
    return {
      id: step.id,
      title: step.title,
      type: step.type,
      description: step.description,
      assignee: names.assignee,
      claimed: claimOf(current),
      handedOver: handOversOf(current),
      handedBy: giversIn(current).map(presentActor),
      sla: step.sla,
      state: display[n]?.state ?? 'blocked',
      slaState: slaStates.get(step.id) ?? null,
      usedShare: usedShareOf(current),
      ...(current ? detailsOf(current) : NO_DETAILS),
      fields: step.type === 'manual' ? (step.config.fields ?? []) : [],
      requiresApproval: step.type === 'manual' && step.config.requiresApproval === true,
      approvals: approvalsOf(step, current),
      skip: skipOf(step, current),
      marks: current ? marksOfStep(current) : [],
      rejection: rejectionOf(current),
      simulated: isSimulated(step),
      report: current?.state === 'completed' ? current.report : null,
      actsFor: how === 'named' ? null : how,
      assignedTo: namesIn(names) || null,
      abilities: {
        retry: current?.state === 'failed' && access.canRetry,
        ...(refusals ? abilitiesOf(step, refusals, actor) : NO_ABILITIES),
        ...(isActive ? claimAbilities({ actor, row: { steps, strict: isStrict }, state, step, access }) : NO_CLAIMS),
      },
      delegated: isActive
        ? delegated.flatMap((each) => presentDelegated({ workflow, state, step, active: current, isStrict }, each))
        : [],
      because: becauseOf(refusals ? refusals.asked : current?.state === 'failed' ? access.retryRefusal : null),
    };
  });
}

const NO_CLAIMS = { claim: false, release: false, handOver: false };

function claimAbilities(asked: Parameters<typeof claimRefusals>[0]): typeof NO_CLAIMS {
  const { actor, state, step } = asked;
  if (actor.token?.kind === 'organization') return NO_CLAIMS;
  const { claim, release, handOver } = claimRefusals(asked);
  return {
    claim: claim === null && !isTheirsAlone(state, step, actor),
    release: release === null,
    handOver: handOver === null,
  };
}

function claimOf(state: StepState | undefined): RunStep['claimed'] {
  if (state?.state !== 'active' || !state.claimed) return null;
  const { by, at } = state.claimed;
  return { by: presentActor(by), at: new Date(at).toISOString() };
}

function handOversOf(state: StepState | undefined): RunStep['handedOver'] {
  const all = state?.state === 'active' ? (state.handedOver ?? []) : [];
  return all.map(({ by, to, at, reason }) => ({
    by: presentActor(by),
    to,
    at: new Date(at).toISOString(),
    reason,
  }));
}

function skipOf(step: Step, state: StepState | undefined): RunStep['skip'] {
  const votes = state?.state === 'active' ? (state.skipVotes ?? []) : [];
  return {
    required: skipVotesNeeded(step),
    votes: votes.map(({ by, at, reason, marks = [], addedBy = null }) => ({
      by: presentActor(by),
      at: new Date(at).toISOString(),
      reason,
      marks: [...marks],
      addedBy,
    })),
  };
}

function rejectionOf(state: StepState | undefined): RunStep['rejection'] {
  const rejected = state && 'rejected' in state ? state.rejected : undefined;
  if (!rejected) return null;
  const { by, at, comments, retriedAlone = false } = rejected;
  return { by: by ? presentActor(by) : null, at: new Date(at).toISOString(), comments, retriedAlone };
}

type StepDetails = Pick<
  RunStep,
  'activatedAt' | 'dueAt' | 'completedAt' | 'completedBy' | 'completedFor' | 'output' | 'reason' | 'submittedBy'
>;
const NO_DETAILS: StepDetails = {
  activatedAt: null,
  dueAt: null,
  completedAt: null,
  completedBy: null,
  completedFor: null,
  output: null,
  reason: null,
  submittedBy: null,
};

function detailsOf(step: StepState): StepDetails {
  switch (step.state) {
    case 'waiting':
      return NO_DETAILS;
    case 'active':
      return {
        ...NO_DETAILS,
        activatedAt: iso(step.activatedAt),
        dueAt: iso(step.dueAt),
        reason: step.returned?.comments ?? null,
        output: step.submitted?.output ?? null,
        submittedBy: step.submitted ? presentActor(step.submitted.by) : null,
      };
    case 'completed':
      return {
        ...NO_DETAILS,
        activatedAt: iso(step.activatedAt),
        dueAt: iso(step.dueAt),
        completedAt: iso(step.completedAt),
        completedBy: presentActor(step.by),
        completedFor: step.actsFor ?? null,
        output: step.output,
      };
    case 'skipped':
      return {
        ...NO_DETAILS,
        activatedAt: iso(step.clock?.activatedAt),
        dueAt: iso(step.clock?.dueAt),
        completedAt: iso(step.skippedAt),
        completedBy: presentActor(step.by),
        reason: step.reason,
      };
    case 'failed':
      return {
        ...NO_DETAILS,
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
    votes: votes.map(({ by, at, comments, actsFor = null, marks = [], addedBy = null }) => ({
      by: presentActor(by),
      at: new Date(at).toISOString(),
      comments,
      actsFor,
      marks: [...marks],
      addedBy,
    })),
  };
}

type Asked = Pick<Shown, 'state' | 'access' | 'isStrict'> & {
  workflow: RunWorkflow;
  step: Step;
  active: ActiveStep;
};

/**
 * The API's refusal of each action on an active step, or null if the API accepts the action. `asked` is for the action
 * that the step is waiting for. Some people who can't approve, for example because they invited the unproved account
 * that did the work, can still reject.
 */
type Refusals = {
  waitsForVerdict: boolean;
  asked: Refusal | null;
  reject: Refusal | null;
  skip: Refusal | null;
};

function refusalsOf({ workflow, state, step, active, access, isStrict }: Asked): Refusals {
  const { by } = access;
  const uncounted = (act: 'approve' | 'skip'): Refusal | null =>
    isStrict ? notCounted(workflow, state, step, { act, by, proofs: access.proofs, added: access.added(step) }) : null;
  const waitsForVerdict = step.type === 'approval' || active.submitted !== null;
  const denied = access.refusalToAct(step, 'approve');
  const reject = access.refusalToAct(step, 'reject') ?? voteRefusal(workflow, state, step, by, 'reject');
  const skip = access.refusalToAct(step, 'skip') ?? skipRefusal(workflow, state, step, by) ?? uncounted('skip');
  const asked = waitsForVerdict
    ? (denied ?? voteRefusal(workflow, state, step, by) ?? uncounted('approve'))
    : step.type === 'manual'
      ? access.refusalToAct(step, 'complete')
      : null;
  return { waitsForVerdict, asked, reject, skip };
}

/** The actor's abilities on an active step as the delegate of one delegator. Empty if there are none. */
function presentDelegated(
  asked: Omit<Asked, 'access'>,
  { delegator, access, isDelegated }: DelegatedAccess,
): RunStep['delegated'] {
  const { step, active } = asked;
  const isVerdict = step.type === 'approval' || active.submitted !== null;
  if (!isDelegated(isVerdict ? 'votes' : 'tasks')) return [];
  const { complete, approve, reject } = abilitiesOf(step, refusalsOf({ ...asked, access }), delegator);
  const { userId: id, name, email } = delegator;
  return complete || approve || reject ? [{ onBehalfOf: { id, name, email }, complete, approve, reject }] : [];
}

const NO_ABILITIES = { complete: false, approve: false, reject: false, skip: false };

function abilitiesOf(step: Step, refusals: Refusals, { token }: OrgActor): typeof NO_ABILITIES {
  const { waitsForVerdict, asked, reject, skip } = refusals;
  const isPerson = token?.kind !== 'organization';
  const canReject = waitsForVerdict && (isPerson || step.type === 'approval') && reject === null;
  return {
    complete: step.type === 'manual' && !waitsForVerdict && asked === null,
    approve: canReject && asked === null,
    reject: canReject,
    skip: isPerson && skip === null,
  };
}

/** The reason why the actor can't complete, decide or retry the step, with the error text of the API's refusal. */
function becauseOf(refusal: Refusal | null): RunStep['because'] {
  if (!refusal) return null;
  const { code, error } = answerTo(refusal).body;
  return { code, sentence: error };
}
