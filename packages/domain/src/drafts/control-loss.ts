import { slaMsOf } from '../sla/duration.ts';
import { assignedOrgRole, isEmail } from '../access/assignee.ts';
import { visibleText } from '../workflows/hidden-characters.ts';
import { isolated } from '../workflows/isolated.ts';
import { type ApprovalStep, STEP_KINDS, type Step, isPersonStep } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import {
  type ApprovalPlaces,
  approvalPlaces,
  controlIds,
  type ControlSet,
  idsIn,
  isControl,
  less,
} from './approval-places.ts';
import { nameSteps } from './name-steps.ts';

/** A role that no longer appears in the workflow, with the steps that named it. */
export type RoleLoss = { role: string; stepIds: string[] };

/** A step that requires less agreement than before; `title` is its current title, or its last. */
export type ApprovalLoss = { stepId: string; title: string } & (
  | { kind: 'approval_removed'; approvers: number }
  | { kind: 'fewer_approvers'; before: number; after: number }
  /** The person who completed the previous step may now approve too. */
  | { kind: 'separation_dropped' }
  /** The input of a manual step no longer needs another person's approval. */
  | { kind: 'sign_off_dropped' }
);

/** A step by its id and its name: the title, with the id if another step has the same title. */
export type NamedStep = { stepId: string; title: string };
type Clock = { text: string; ms: number | null };

/**
 * A control that the first content has and the second lacks (an approval, approvers, separation, a sign-off, an
 * approval's place, a clock), by step. A manual step alone isn't a control. `steps` has the first `MOST_NAMED`, in row
 * order; `more` is the number of others.
 */
export type ControlLoss = NamedStep &
  (
    | { kind: 'approval_removed'; approvers: number }
    /**
     * A run can now reach these steps without the approval. If `signOff` is set, the control is the sign-off of a
     * manual step.
     */
    | { kind: 'no_longer_before'; signOff: boolean; steps: NamedStep[]; more: number }
    /**
     * The step is now at the start of the run: an approval before any work, or a step that needed an approval before
     * it.
     */
    | { kind: 'open_from_start' }
    /** The approval can now be given before these steps are done. */
    | { kind: 'no_longer_after'; signOff: boolean; steps: NamedStep[]; more: number }
    | { kind: 'fewer_approvers'; before: number; after: number }
    /** The assignee and role of the approval; `after` is empty if any reviewer may decide it. */
    | { kind: 'approver_widened'; before: string[]; after: string[] }
    | { kind: 'separation_dropped' }
    /**
     * Steps that a person performs or may skip now separate the work from the approval that must be independent of it.
     */
    | { kind: 'separation_bypassed'; work: NamedStep; steps: NamedStep[]; more: number }
    | { kind: 'sign_off_dropped' }
    | { kind: 'clock_removed'; before: Clock; after: Clock }
    | { kind: 'clock_loosened'; before: Clock; after: Clock }
  );
export type ControlLossKind = ControlLoss['kind'];

/** Maximum number of steps named in one loss. */
const MOST_NAMED = 20;

/** Most severe first. */
export const CONTROL_LOSS_KINDS = [
  'approval_removed',
  'no_longer_before',
  'open_from_start',
  'no_longer_after',
  'fewer_approvers',
  'approver_widened',
  'separation_dropped',
  'separation_bypassed',
  'sign_off_dropped',
  'clock_removed',
  'clock_loosened',
] as const satisfies readonly ControlLossKind[];

/**
 * Returns the controls that `before` has and `after` lacks: the most severe kinds first, each kind in the row order of
 * `before`. Empty if `before` is null, because a first version loses nothing. A step that was removed and added again
 * with the same type and title counts as the same step for the approvals before it. An approval with a new id counts as
 * removed. 1000 steps take a few milliseconds.
 */
export function controlLosses(before: WorkflowContent | null, after: WorkflowContent): ControlLoss[] {
  if (before === null) return [];
  const sides = comparedSides(before.steps, after.steps);
  const losses: ControlLoss[] = [
    ...lostApprovals(before.steps, after.steps).map((loss) => ({ ...loss, title: sides.nameOf(loss.stepId) })),
    ...lostPlaces(sides, before.steps),
    ...before.steps.flatMap((was) => [...lostApprover(sides, was), ...lostSeparation(sides, was)]),
    ...before.steps.flatMap((was) => lostClock(sides, was)),
  ];
  const severity = (kind: ControlLossKind) => CONTROL_LOSS_KINDS.indexOf(kind);
  return losses.toSorted((one, other) => severity(one.kind) - severity(other.kind));
}

/**
 * Returns the controls that `after` lacks compared with any of these contents, each loss once. A null content loses
 * nothing.
 */
export function controlLossesOf(befores: readonly (WorkflowContent | null)[], after: WorkflowContent): ControlLoss[] {
  const losses = befores.flatMap((before) => controlLosses(before, after));
  return [...new Map(losses.map((loss) => [JSON.stringify(loss), loss])).values()];
}

type WriteName = (name: string) => string;

/**
 * Returns a loss as a sentence without a full stop: 'CFO approval is no longer required before Pay'. Right-to-left
 * names are isolated.
 */
export const controlLossSentence = (loss: ControlLoss): string => sentenceOf(loss, isolated);

/** Like `controlLossSentence`, but for PDFs, where each text keeps its own direction anyway. */
export const printedLossSentence = (loss: ControlLoss): string => sentenceOf(loss, (name) => name);

function sentenceOf(loss: ControlLoss, named: WriteName): string {
  const title = named(loss.title);
  const control = 'signOff' in loss && loss.signOff ? `The sign-off of ${title}` : title;
  switch (loss.kind) {
    case 'approval_removed':
      return loss.approvers === 1
        ? `${title} is no longer an approval of this workflow`
        : `${title} is no longer an approval of this workflow: it needed ${loss.approvers} approvers`;
    case 'no_longer_before':
      return `${control} is no longer required before ${listed(loss, named)}`;
    case 'open_from_start':
      return `${title} is active from the start of the run`;
    case 'no_longer_after':
      return `${control} no longer waits for ${listed(loss, named)}`;
    case 'fewer_approvers':
      return `${title} needs ${approversInWords(loss.after)} instead of ${loss.before}`;
    case 'approver_widened':
      return approverInWords(title, loss, named);
    case 'separation_dropped':
      return `${title} can be approved by the person who completed the previous step`;
    case 'separation_bypassed':
      return `A step that a person performs or may skip now comes between ${named(loss.work.title)} and its independent approval ${title}: ${listed(loss, named)}`;
    case 'sign_off_dropped':
      return `${title} no longer needs a second person's sign-off`;
    case 'clock_removed':
      return `${title} no longer has an SLA: it was ${visibleText(loss.before.text)}`;
    case 'clock_loosened':
      return `${title} has more time: ${visibleText(loss.before.text)} → ${visibleText(loss.after.text)}`;
  }
}

/** A loss for the review, the notifications and the trail. */
export type LossInWords = NamedStep & { kind: ControlLossKind; sentence: string };

/** Returns the losses with their sentences. */
export const inSentences = (losses: readonly ControlLoss[]): LossInWords[] =>
  losses.map((loss) => ({
    kind: loss.kind,
    stepId: loss.stepId,
    title: loss.title,
    sentence: controlLossSentence(loss),
  }));

/** Maximum number of steps named in a sentence; the rest are counted. */
const NAMED_IN_SENTENCE = 5;

function listed({ steps, more }: { steps: readonly NamedStep[]; more: number }, named: WriteName): string {
  const names = steps.slice(0, NAMED_IN_SENTENCE).map(({ title }) => named(title));
  const rest = steps.length - names.length + more;
  if (rest > 0) return `${names.join(', ')} and ${rest} more`;
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}

const approversInWords = (count: number): string => (count === 1 ? '1 approver' : `${count} approvers`);

function approverInWords(
  title: string,
  { before, after }: Extract<ControlLoss, { kind: 'approver_widened' }>,
  named: WriteName,
): string {
  const names = (list: readonly string[]) => list.map((name) => named(visibleText(name))).join(', ');
  const change = `${names(before)} → ${after.length === 0 ? 'anyone who can review' : names(after)}`;
  if (after.length === 0) return `${title}: anyone who can review may decide now (${change})`;
  const isReplaced = !before.some((name) => after.includes(name)) && before.some(isEmail) && !after.some(isEmail);
  return isReplaced
    ? `${title}: a named approver was replaced by a role (${change})`
    : `${title}: more people may approve now (${change})`;
}

type Sides = {
  now: ReadonlyMap<string, Step>;
  was: ReadonlyMap<string, Step>;
  /** The current step that corresponds to this one: the same id, or a new step with the same type and title. */
  successorOf: (stepId: string) => string | undefined;
  /** The controls of both sides; the sets refer to them by position. */
  controls: readonly string[];
  placesBefore: ApprovalPlaces;
  placesAfter: ApprovalPlaces;
  nameOf: (stepId: string) => string;
  named: (stepIds: readonly string[]) => { steps: NamedStep[]; more: number };
  /**
   * The work before each step: the nearest earlier steps that people perform, skipping those that the server executes.
   */
  workBefore: (side: 'before' | 'after', stepId: string) => Set<string>;
  previous: (side: 'before' | 'after', stepId: string) => readonly string[];
};

function comparedSides(before: readonly Step[], after: readonly Step[]): Sides {
  const was = new Map(before.map((step) => [step.id, step]));
  const now = new Map(after.map((step) => [step.id, step]));
  const names = nameSteps([...before, ...after]);
  // A control that only one side has isn't compared here: if it was removed, that is already reported.
  const controls = controlIds(before).filter((id) => isControlOf(now, id));
  const looks = ({ type, title }: Step) => `${type} ${title.trim()}`;
  const added = new Map<string, string | null>();
  for (const step of after) {
    if (!was.has(step.id)) added.set(looks(step), added.has(looks(step)) ? null : step.id);
  }
  const previousOf = { before: previousSteps(before), after: previousSteps(after) };
  const stepsOf = { before: was, after: now };
  const previous: Sides['previous'] = (side, stepId) => previousOf[side].get(stepId) ?? [];
  return {
    now,
    was,
    successorOf: (stepId) => {
      if (now.has(stepId)) return stepId;
      const step = was.get(stepId);
      return (step && added.get(looks(step))) ?? undefined;
    },
    controls,
    placesBefore: approvalPlaces(before, controls),
    placesAfter: approvalPlaces(after, controls),
    nameOf: names,
    named: (stepIds) => ({
      steps: stepIds.slice(0, MOST_NAMED).map((stepId) => ({ stepId, title: names(stepId) })),
      more: Math.max(0, stepIds.length - MOST_NAMED),
    }),
    previous,
    workBefore: (side, stepId) => {
      const seen = new Set(previous(side, stepId));
      const work = new Set<string>();
      // Iterating a set also visits the entries added during the loop.
      for (const id of seen) {
        if (isDoneByPeople(stepsOf[side].get(id))) work.add(id);
        else for (const earlier of previous(side, id)) seen.add(earlier);
      }
      return work;
    },
  };
}

function previousSteps(steps: readonly Step[]): Map<string, string[]> {
  const previous = new Map<string, string[]>(steps.map(({ id }) => [id, []]));
  for (const { id, next } of steps) for (const target of new Set(next)) previous.get(target)?.push(id);
  return previous;
}

const isControlOf = (steps: ReadonlyMap<string, Step>, id: string): boolean => {
  const step = steps.get(id);
  return step !== undefined && isControl(step);
};

const isDoneByPeople = (step: Step | undefined): boolean => step !== undefined && isPersonStep(step);

/** Returns steps that a control no longer precedes or follows. */
function lostPlaces(sides: Sides, before: readonly Step[]): ControlLoss[] {
  const { placesBefore: then, placesAfter: now, controls, nameOf } = sides;
  const open: ControlLoss[] = [];
  const unguarded = new Map<string, string[]>();
  const unawaited = new Map<string, string[]>();
  const note = (lost: Map<string, string[]>, set: ControlSet, stepId: string) => {
    for (const control of idsIn(set, controls)) {
      const ids = lost.get(control);
      if (ids) ids.push(stepId);
      else lost.set(control, [stepId]);
    }
  };
  for (const { id, type } of before) {
    const successor = sides.successorOf(id);
    if (successor === undefined) continue;
    const guards = then.before(id);
    note(unguarded, less(guards, now.before(successor)), successor);
    if (now.isRoot(successor) && !then.isRoot(id) && guards.some((word) => word !== 0)) {
      open.push({ stepId: successor, title: nameOf(successor), kind: 'open_from_start' });
    }
    if (STEP_KINDS[type].isWork) note(unawaited, less(then.behind(id), now.behind(successor)), successor);
  }
  const losses: ControlLoss[] = controls.flatMap((stepId): ControlLoss[] => {
    const at = { stepId, title: nameOf(stepId), signOff: sides.was.get(stepId)?.type === 'manual' };
    const [unguardedSteps, work] = [unguarded.get(stepId), unawaited.get(stepId)];
    const isOpen = open.some((loss) => loss.stepId === stepId);
    const isBegun = work !== undefined && now.isRoot(stepId) && !at.signOff;
    return [
      ...(unguardedSteps ? [{ ...at, kind: 'no_longer_before' as const, ...sides.named(unguardedSteps) }] : []),
      ...(isBegun && !isOpen ? [{ stepId, title: at.title, kind: 'open_from_start' as const }] : []),
      ...(work && !isBegun ? [{ ...at, kind: 'no_longer_after' as const, ...sides.named(work) }] : []),
    ];
  });
  return [...losses, ...open];
}

/** Returns the addresses and roles that may decide an approval; empty if any reviewer may. */
function decidersOf({ assignee, config }: ApprovalStep): string[] {
  const email = assignee.trim().toLowerCase();
  const role = assignedOrgRole(assignee);
  const inConfig = assignedOrgRole(config.assignedRole ?? '');
  return [...new Set([...(isEmail(email) ? [email] : []), role, inConfig].filter((name) => name !== null))];
}

function lostApprover(sides: Sides, was: Step): ControlLoss[] {
  const is = sides.now.get(was.id);
  if (was.type !== 'approval' || is?.type !== 'approval') return [];
  const [before, after] = [decidersOf(was), decidersOf(is)];
  if (before.length === 0) return [];
  const hasRole = (names: readonly string[]) => names.some((name) => !isEmail(name));
  const isWider =
    after.length === 0 ||
    (hasRole(after) && !hasRole(before)) ||
    (after.length > before.length && before.every((name) => after.includes(name)));
  return isWider ? [{ stepId: was.id, title: sides.nameOf(was.id), kind: 'approver_widened', before, after }] : [];
}

/** Returns the work before an independent approval (`workBefore`) that other steps now separate from it. */
function lostSeparation(sides: Sides, was: Step): ControlLoss[] {
  const is = sides.now.get(was.id);
  const isSeparated = (step: Step | undefined) => step?.type === 'approval' && step.config.separateFrom === true;
  if (!isSeparated(was) || !isSeparated(is)) return [];
  const named = (stepId: string): NamedStep => ({ stepId, title: sides.nameOf(stepId) });
  const work = sides.workBefore('after', was.id);
  const direct = sides.previous('after', was.id);
  return [...sides.workBefore('before', was.id)].flatMap((id): ControlLoss[] => {
    const wasDirect = sides.previous('before', was.id).includes(id);
    const isNear = wasDirect ? direct.includes(id) : work.has(id);
    if (isNear || !sides.now.has(id)) return [];
    const between = stepsBetween(sides, id, was.id);
    return between.length === 0
      ? []
      : [{ ...named(was.id), kind: 'separation_bypassed', work: named(id), ...sides.named(between) }];
  });
}

/** Returns the steps on the paths from one step to another, in row order. */
function stepsBetween({ now, previous }: Sides, from: string, to: string): string[] {
  const earlier = new Set(previous('after', to));
  for (const id of earlier) for (const before of previous('after', id)) earlier.add(before);
  const later = new Set(now.get(from)?.next);
  for (const id of later) for (const next of now.get(id)?.next ?? []) later.add(next);
  return [...now.keys()].filter((id) => earlier.has(id) && later.has(id));
}

function lostClock(sides: Sides, was: Step): ControlLoss[] {
  const is = sides.now.get(was.id);
  const ms = slaMsOf(was.sla);
  if (is === undefined || ms === null) return [];
  const after = { text: is.sla, ms: slaMsOf(is.sla) };
  if (after.ms !== null && after.ms <= ms) return [];
  const at = { stepId: was.id, title: sides.nameOf(was.id), before: { text: was.sla, ms }, after };
  return [after.ms === null ? { ...at, kind: 'clock_removed' } : { ...at, kind: 'clock_loosened' }];
}

/** Roles that steps named before, as assignee or in their settings, but no step names after; sorted by name. */
export function lostRoles(before: readonly Step[], after: readonly Step[]): RoleLoss[] {
  const now = new Set(after.flatMap(rolesOf));
  const lost = new Map<string, string[]>();
  for (const step of before) {
    for (const role of rolesOf(step)) if (!now.has(role)) lost.set(role, [...(lost.get(role) ?? []), step.id]);
  }
  return [...lost].map(([role, stepIds]) => ({ role, stepIds })).toSorted((a, b) => (a.role < b.role ? -1 : 1));
}

/**
 * Returns steps that require less agreement after than before, in their former order. A new step can't lose agreement.
 */
export function lostApprovals(before: readonly Step[], after: readonly Step[]): ApprovalLoss[] {
  const now = new Map(after.map((step) => [step.id, step]));
  return before.flatMap((was) => {
    const is = now.get(was.id);
    const at = { stepId: was.id, title: is?.title ?? was.title };
    if (was.type === 'approval') return lossOfApproval(at, was, is);
    const signedOff = (step: Step | undefined) => step?.type === 'manual' && step.config.requiresApproval === true;
    return signedOff(was) && !signedOff(is) && is?.type !== 'approval' ? [{ ...at, kind: 'sign_off_dropped' }] : [];
  });
}

function lossOfApproval(
  at: { stepId: string; title: string },
  was: ApprovalStep,
  is: Step | undefined,
): ApprovalLoss[] {
  const before = approversOf(was);
  if (is?.type !== 'approval') return [{ ...at, kind: 'approval_removed', approvers: before }];
  const after = approversOf(is);
  return [
    ...(after < before ? [{ ...at, kind: 'fewer_approvers' as const, before, after }] : []),
    ...(was.config.separateFrom && !is.config.separateFrom ? [{ ...at, kind: 'separation_dropped' as const }] : []),
  ];
}

const approversOf = ({ config }: ApprovalStep): number =>
  config.minimumApprovers ?? STEP_KINDS.approval.defaults.config.minimumApprovers;

function rolesOf(step: Step): string[] {
  const inConfig = 'assignedRole' in step.config ? (step.config.assignedRole ?? '').trim().toLowerCase() : '';
  const assigned = assignedOrgRole(step.assignee);
  return [...new Set([...(assigned === null ? [] : [assigned]), ...(inConfig === '' ? [] : [inConfig])])];
}
