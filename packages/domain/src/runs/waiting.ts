import { deadlineOf } from '../sla/deadline.ts';
import type { WorkCalendar } from '../sla/calendar.ts';
import { atRiskAt } from '../sla/clock.ts';
import { HOUR_MS } from '../sla/duration.ts';
import { namedBy } from '../access/step-access.ts';
import { graphOf, type StepGraph } from '../workflows/graph.ts';
import type { Step } from '../workflows/step.ts';
import { lastPeopleBefore } from './people.ts';
import { requiredVotes, skipVotesNeeded } from './person-steps.ts';
import { type ActiveStep, type RunState, type RunWorkflow, peopleBehind, stepStateOf } from './state.ts';

/** An approval step may be decided by owners and admins once it is overdue for this long, in working time; in ms. */
export const STAND_IN_AFTER_MS = 24 * HOUR_MS;

const STAND_IN = 'permission:step.stand_in';
/** Those who may help on manual steps that name others: owners, admins, and editors while the organization lets them. */
export const HELPERS = 'helpers';

/**
 * Whom an active step waits for: `who` names e-mails in lower case, `role:reviewer`, `helpers`, or, where it is assigned to nobody,
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
   * all who may say it then. So a step of a role that nobody holds is not lost.
   */
  needs: { people: number; otherwise: string };
  /** How many people still have to agree before it is skipped, and who can't: those in `exceptIds`, and those who have agreed. */
  skip: { people: number; exceptIds: string[] };
  /** True for a vote or a verdict on input: accounts that may not decide don't have it. */
  isDecision: boolean;
  /** When an approval step that names someone is overdue for so long that it waits for `otherwise` as well; null if it never is. */
  standInAt: number | null;
};

/** What a run waits for people to do, in row order (My tasks); nothing while it is paused or over. */
export function waitingSteps(
  workflow: RunWorkflow,
  state: RunState,
  calendar: WorkCalendar | null = null,
): WaitingStep[] {
  if (state.status !== 'running') return [];
  const graph = graphOf(workflow.steps);
  return workflow.steps.flatMap((step) => {
    const active = stepStateOf(state, step.id);
    if (active?.state !== 'active' || (step.type !== 'manual' && step.type !== 'approval')) return [];
    const named = namesIn(step);
    const { dueAt, skipVotes = [] } = active;
    const exceptIds = [...new Set(handsOff(graph, state, step, active))];
    const agreed = skipVotes.flatMap(({ by }) => peopleBehind(by));
    return [
      {
        stepId: step.id,
        dueAt,
        riskAt: atRiskAt(active),
        who: whoOf(step, active, named),
        exceptIds,
        needs: needsOf(step, active, named),
        skip: { people: skipVotesNeeded(step) - skipVotes.length, exceptIds: [...new Set([...exceptIds, ...agreed])] },
        isDecision: step.type === 'approval' || active.submitted !== null,
        standInAt: step.type === 'approval' && named.length > 0 ? standInAt(dueAt, calendar) : null,
      },
    ];
  });
}

/** The moment from which owners and admins may decide an overdue approval step; null without a due time. */
export function standInAt(dueAt: number | null, calendar: WorkCalendar | null): number | null {
  return dueAt === null ? null : deadlineOf(dueAt, STAND_IN_AFTER_MS, calendar).dueAt;
}

function needsOf(step: Step, active: ActiveStep, named: readonly string[]): WaitingStep['needs'] {
  const otherwise = named.length === 0 ? openTo(step) : step.type === 'approval' ? STAND_IN : HELPERS;
  return { people: step.type === 'approval' ? requiredVotes(step) - active.votes.length : 1, otherwise };
}

/** The names under which tasks wait for a person. */
export function namesOf(person: { email: string; orgRole: string; permissions: readonly string[] }): string[] {
  const held = person.permissions.filter((name) => name.startsWith('step.'));
  return [
    person.email.trim().toLowerCase(),
    `role:${person.orgRole}`,
    ...held.map((name) => `permission:${name}`),
    ...(held.includes('step.act_any') ? [HELPERS] : []),
  ];
}

/** Those whom a step names, as tasks name them. */
function namesIn(step: Step): string[] {
  const { emails, roles } = namedBy(step);
  return [...emails, ...roles.map((role) => `role:${role}`)];
}

const openTo = (step: Step): string =>
  step.type === 'approval' ? 'permission:step.act_approval' : 'permission:step.act_any';

function whoOf(step: Step, active: ActiveStep, named: string[]): string[] {
  if (named.length === 0) return [openTo(step)];
  // Whoever has given the input can't approve it: then it waits for those who may help.
  const submitter = active.submitted?.by.email.toLowerCase();
  return named.every((name) => name === submitter) ? [HELPERS] : named;
}

function handsOff(graph: StepGraph, state: RunState, step: Step, active: ActiveStep): string[] {
  const hands = [...active.votes.map(({ by }) => by), ...(active.submitted ? [active.submitted.by] : [])];
  if (step.type === 'approval' && step.config.separateFrom) {
    hands.push(...lastPeopleBefore(graph, state, step.id).map(({ by }) => by));
  }
  return hands.flatMap(peopleBehind);
}
