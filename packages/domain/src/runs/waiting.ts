import { deadlineOf } from '../sla/deadline.ts';
import type { WorkCalendar } from '../sla/calendar.ts';
import { atRiskAt } from '../sla/clock.ts';
import { HOUR_MS } from '../sla/duration.ts';
import { canonicalEmail } from '../access/email-address.ts';
import { groupAssignee } from '../access/groups.ts';
import { addressesOf, isForAddresses, namesOfPerformers, type Performers } from '../access/performers.ts';
import { type Step, isPersonStep } from '../steps/index.ts';
import { graphOfVersion, type StepGraph } from '../workflows/graph.ts';
import { type ActiveStep, type RunState, type RunWorkflow, peopleBehind, personBehind, stepStateOf } from './state.ts';
import { givenPlaces } from './hand-over.ts';
import { giversOfWork, idsBehind, lastPeopleBefore, performersIn, separatedPeople } from './people.ts';
import { requiredVotes, skipVotesNeeded } from './person-steps.ts';

/**
 * How long an approval step must be overdue before owners and admins may decide it although enough approvers are left,
 * in ms. If there are working hours, only working time counts.
 */
export const STAND_IN_AFTER_MS = 24 * HOUR_MS;

const STAND_IN = 'permission:step.stand_in';
/** People who may help on manual steps that name others: owners, admins and, if the organization allows it, editors. */
export const HELPERS = 'helpers';

/**
 * The people that an active step is waiting for. `who` contains emails in lower case, `role:reviewer`, `group:finance`,
 * `helpers`, and `user:` with the id of the run's starter or of a person who has the step. For an unassigned step, it
 * contains a permission: `permission:step.act_any` or `permission:step.act_approval`. `exceptIds` are people who have
 * done their part or may not do it.
 */
export type WaitingStep = {
  stepId: string;
  dueAt: number | null;
  riskAt: number | null;
  who: string[];
  exceptIds: string[];
  /** People in `exceptIds` who can still reject, because only unproved accounts tie them to the work or the input. */
  rejectIds: string[];
  /**
   * Everyone certainly behind the work that an approval must be independent of. People to whom they give a role or a
   * membership during the run don't count, see `MarkedPower`.
   */
  doerIds: string[];
  /** People who may be behind that work, but not certainly. They matter only under strict review, like `giverIds`. */
  uncertainDoerIds: string[];
  /**
   * Everyone who handed over that work or the submitted input. Under strict review, their approvals don't count. Nor do
   * those of people whom they added to a group at any time, or gave a role during the run.
   */
  giverIds: string[];
  /**
   * The number of people who still have to do or decide the step. If fewer than that are left in `who`, the step also
   * waits for `otherwise`: everyone who may do so in that case. A step is therefore not stuck if nobody has its role.
   */
  needs: { people: number; otherwise: string };
  /**
   * The number of people who still have to agree to skip the step. On an approval step, the people in this `exceptIds`
   * can't: those in the other `exceptIds`, and everyone who has already agreed.
   */
  skip: { people: number; exceptIds: string[] };
  /** True for a vote or a decision on input. Such steps are hidden from accounts that may not decide. */
  isDecision: boolean;
  /** When an overdue approval step that names someone starts to wait for `otherwise` too; null if never. */
  standInAt: number | null;
};

/** Returns the steps that wait for people, in row order (My tasks); empty unless the run is running. */
export function waitingSteps(
  workflow: RunWorkflow,
  state: RunState,
  calendar: WorkCalendar | null = null,
): WaitingStep[] {
  if (state.status !== 'running') return [];
  const graph = graphOfVersion(workflow.steps);
  return workflow.steps.flatMap((step) => {
    const active = stepStateOf(state, step.id);
    if (active?.state !== 'active' || !isPersonStep(step)) return [];
    const performers = performersIn(state, step);
    const named = namesOfPerformers(performers);
    const { dueAt, skipVotes = [] } = active;
    const { exceptIds, rejectIds } = excludedFrom(graph, state, { step, active, performers });
    const doers = separatedPeople(graph, state, step);
    const agreed = skipVotes.flatMap(({ by }) => peopleBehind(by));
    return [
      {
        stepId: step.id,
        dueAt,
        riskAt: atRiskAt(active),
        who: whoOf(step, active, { named, performers }),
        exceptIds,
        rejectIds,
        doerIds: doers.sure,
        uncertainDoerIds: doers.all.filter((id) => !doers.sure.includes(id)),
        giverIds: idsBehind(giversOfWork(graph, state, step)),
        needs: needsOf(step, active, named),
        skip: { people: skipVotesNeeded(step) - skipVotes.length, exceptIds: [...new Set([...exceptIds, ...agreed])] },
        isDecision: step.type === 'approval' || active.submitted !== null,
        standInAt: step.type === 'approval' && named.length > 0 ? standInAt(dueAt, calendar) : null,
      },
    ];
  });
}

/** Returns whom a step waits for, as in `WaitingStep.who`; empty if it waits for nobody. */
export function waitsFor(state: RunState, step: Step): string[] {
  const active = stepStateOf(state, step.id);
  if (state.status !== 'running' || active?.state !== 'active' || !isPersonStep(step)) return [];
  const performers = performersIn(state, step);
  return whoOf(step, active, { named: namesOfPerformers(performers), performers });
}

/** Returns when owners and admins may decide an overdue approval step; null without a due time. */
export function standInAt(dueAt: number | null, calendar: WorkCalendar | null): number | null {
  return dueAt === null ? null : deadlineOf(dueAt, STAND_IN_AFTER_MS, calendar).dueAt;
}

function needsOf(step: Step, active: ActiveStep, named: readonly string[]): WaitingStep['needs'] {
  const otherwise = named.length === 0 ? openTo(step) : step.type === 'approval' ? STAND_IN : HELPERS;
  return { people: step.type === 'approval' ? requiredVotes(step) - active.votes.length : 1, otherwise };
}

/**
 * Returns the entries of `who` that can refer to a person. For each editor, `helpers` is among them; the caller ignores
 * it if the organization doesn't let editors help.
 */
export function namesOf(person: {
  id: string;
  email: string;
  formerEmails?: readonly string[];
  orgRole: string;
  permissions: readonly string[];
  groups: readonly { slug: string }[];
}): string[] {
  const stepPermissions = person.permissions.filter((name) => name.startsWith('step.'));
  return [
    ...addressesOf(person),
    `user:${person.id}`,
    `role:${person.orgRole}`,
    ...person.groups.map(({ slug }) => groupAssignee(slug)),
    ...stepPermissions.map((name) => `permission:${name}`),
    ...(stepPermissions.includes('step.act_any') ? [HELPERS] : []),
  ];
}

const openTo = (step: Step): string =>
  step.type === 'approval' ? 'permission:step.act_approval' : 'permission:step.act_any';

function whoOf(
  step: Step,
  active: ActiveStep,
  { named, performers }: { named: string[]; performers: Performers },
): string[] {
  if (named.length === 0) return [openTo(step)];
  // The author of the input can't approve it, so if the step names nobody else, it waits for helpers.
  const own = active.submitted?.by.email.toLowerCase();
  const isOwn = (email: string): boolean => (canonicalEmail(email) ?? email) === own;
  return own && isForAddresses(performers) && performers.emails.every(isOwn) ? [HELPERS] : named;
}

function excludedFrom(
  graph: StepGraph,
  state: RunState,
  { step, active, performers }: { step: Step; active: ActiveStep; performers: Performers },
): Pick<WaitingStep, 'exceptIds' | 'rejectIds'> {
  const hands = [...active.votes.map(({ by }) => by), ...givenPlaces(active).map(({ by }) => by)];
  const submitters = active.submitted ? [active.submitted.by] : [];
  const doers =
    step.type === 'approval' && step.config.separateFrom
      ? lastPeopleBefore(graph, state, step.id).map(({ by }) => by)
      : [];
  // If a step names people only by address, uncertain ties don't exclude them.
  const tied = doers.map((by) =>
    isForAddresses(performers) && by.unproved ? { ...by, also: by.sureInviters ?? [] } : by,
  );
  const { ids = [] } = performers;
  // The version doesn't name a person who got someone else's place, so any tie excludes them.
  const tiedIds = ids.filter((id) => doers.some((by) => peopleBehind(by).includes(id)));
  const exceptIds = [...new Set([...[...hands, ...submitters, ...tied].flatMap(peopleBehind), ...tiedIds])];
  const judged = [...submitters, ...doers];
  const proved = [...hands, ...judged.filter((by) => !by.unproved)];
  const barred = new Set([...proved.flatMap(peopleBehind), ...judged.map(personBehind)]);
  return { exceptIds, rejectIds: exceptIds.filter((id) => !barred.has(id)) };
}
