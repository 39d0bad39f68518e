import type { RunStep } from '@stet/contract';
import { mayActOnStep } from '@stet/domain/access';
import {
  type RunState,
  type RunWorkflow,
  type StepState,
  displayStates,
  requiredVotes,
  skipRefusal,
  slaStatus,
  stepStateOf,
  voteRefusal,
} from '@stet/domain/runs';
import type { Step } from '@stet/domain/workflows';
import type { OrgActor } from '../../kernel/actor.ts';
import { iso, presentActor } from './actor.presenter.ts';
import { isSimulated } from './step-jobs.ts';

/** The steps of a run in row order, and what this person may do with each. */
export function presentSteps(steps: readonly Step[], state: RunState, now: number, actor: OrgActor): RunStep[] {
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
      fields: step.type === 'manual' ? (step.config.fields ?? []) : [],
      requiresApproval: step.type === 'manual' && step.config.requiresApproval === true,
      approvals: approvalsOf(step, current),
      simulated: isSimulated(step),
      report: current?.state === 'completed' ? current.report : null,
      abilities: {
        ...abilitiesOf({ steps }, state, step, may ? actor.userId : null),
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
  return {
    required: requiredVotes(step),
    by: votes.map((vote) => presentActor(vote.by)),
    votes: votes.map(({ by, at, comments }) => ({ by: presentActor(by), at: new Date(at).toISOString(), comments })),
  };
}

/** What a person may do with a step as it stands; nothing for nobody. */
function abilitiesOf(workflow: RunWorkflow, state: RunState, step: Step, userId: string | null) {
  const current = stepStateOf(state, step.id);
  const active = userId !== null && current?.state === 'active' ? current : null;
  if (active === null || userId === null) return { complete: false, approve: false, reject: false, skip: false };
  const mayVote = step.type === 'approval' && voteRefusal(workflow, state, step, userId) === null;
  const decidesInput = active.submitted ? active.submitted.by.id !== userId : false;
  return {
    complete: step.type === 'manual' && !active.submitted,
    approve: mayVote || decidesInput,
    reject: mayVote || decidesInput,
    skip: skipRefusal(workflow, state, step, userId) === null,
  };
}
