import { atRiskAt } from '../sla/clock.ts';
import { graphOf } from '../workflows/graph.ts';
import { assignedOrgRole, isEmail } from '../workflows/assignee.ts';
import type { Step } from '../workflows/step.ts';
import { requiredVotes } from './person-steps.ts';
import { type ActiveStep, type RunState, type RunWorkflow, personBehind, stepStateOf } from './state.ts';

/**
 * Whom an active step waits for: `who` names e-mails in lower case, `role:reviewer`, or, where it is assigned to nobody,
 * those with a permission: `permission:step.act_any`. `exceptIds` are people who have done their part or may not do it.
 */
export type WaitingStep = {
  stepId: string;
  dueAt: number | null;
  riskAt: number | null;
  who: string[];
  exceptIds: string[];
  /**
   * Where so many people still have to say yes, and `who` has fewer left than that, it waits for `otherwise` as well: for
   * all who may say it. So a step of a role that nobody holds is not lost.
   */
  needs: { people: number; otherwise: string };
};

/** What a run waits for people to do, in row order (My tasks); nothing while it is paused or over. */
export function waitingSteps(workflow: RunWorkflow, state: RunState): WaitingStep[] {
  if (state.status !== 'running') return [];
  return workflow.steps.flatMap((step) => {
    const active = stepStateOf(state, step.id);
    if (active?.state !== 'active' || (step.type !== 'manual' && step.type !== 'approval')) return [];
    const exceptIds = [...new Set(handsOff(workflow, state, step, active))];
    const who = whoOf(step, active);
    return [
      { stepId: step.id, dueAt: active.dueAt, riskAt: atRiskAt(active), who, exceptIds, needs: needsOf(step, active) },
    ];
  });
}

function needsOf(step: Step, active: ActiveStep): WaitingStep['needs'] {
  if (step.type === 'approval')
    return { people: requiredVotes(step) - active.votes.length, otherwise: 'permission:step.act_approval' };
  return { people: 1, otherwise: 'permission:step.act_any' };
}

/** The names under which tasks wait for a person. */
export function namesOf(person: { email: string; orgRole: string; permissions: readonly string[] }): string[] {
  return [
    person.email.trim().toLowerCase(),
    `role:${person.orgRole}`,
    ...person.permissions.filter((name) => name.startsWith('step.act_')).map((name) => `permission:${name}`),
  ];
}

function whoOf(step: Step, active: ActiveStep): string[] {
  const email = step.assignee.trim().toLowerCase();
  const inConfig = 'assignedRole' in step.config ? (step.config.assignedRole ?? '') : '';
  const roles = [assignedOrgRole(step.assignee), assignedOrgRole(inConfig)].filter((role) => role !== null);
  const named = [...(isEmail(email) ? [email] : []), ...roles.map((role) => `role:${role}`)];
  // Whoever has given the input can't approve it: then it waits for those who may act on any step.
  const isWithSubmitter = active.submitted?.by.email.toLowerCase() === email;
  const open = active.submitted && isWithSubmitter && roles.length === 0 ? [] : named;
  if (open.length > 0) return [...new Set(open)];
  return [step.type === 'approval' ? 'permission:step.act_approval' : 'permission:step.act_any'];
}

function handsOff(workflow: RunWorkflow, state: RunState, step: Step, active: ActiveStep): string[] {
  const done = [
    ...active.votes.map(({ by }) => personBehind(by)),
    ...(active.submitted ? [personBehind(active.submitted.by)] : []),
  ];
  if (step.type !== 'approval' || !step.config.separateFrom) return done;
  const before = graphOf(workflow.steps)
    .previous(step.id)
    .flatMap((id) => {
      const settled = stepStateOf(state, id);
      if (settled?.state !== 'completed') return [];
      const { by, votes, submitted } = settled;
      return [by, ...votes.map((vote) => vote.by), ...(submitted ? [submitted.by] : [])].map(personBehind);
    });
  return [...done, ...before];
}
