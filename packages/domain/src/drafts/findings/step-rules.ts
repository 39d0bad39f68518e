import { STARTER, assignedOrgRole, assigneeNames, isEmail } from '../../access/assignee.ts';
import { assignedGroup, groupAssignee } from '../../access/groups.ts';
import { performersOf } from '../../access/performers.ts';
import { slaMsOf } from '../../sla/duration.ts';
import {
  type ApprovalStep,
  type InputField,
  type ManualStep,
  type NotificationStep,
  type PersonStep,
  type Step,
  STEP_KINDS,
  type StepConfigByType,
  type StepType,
  isFileKind,
  isPersonStep,
} from '../../steps/index.ts';
import { idsIn } from './step-places.ts';
import type { ChangeFinding, Clock, FindingCode } from './finding.ts';
import type { Sides } from './sides.ts';

/** A finding without its step. */
type Found = ChangeFinding extends infer Each
  ? Each extends ChangeFinding
    ? Omit<Each, 'stepId' | 'title'>
    : never
  : never;
type StepOf<T extends StepType> = Extract<Step, { type: T }>;
/**
 * Compares one setting. `is` is null if the step was removed or has another type now, and then everything that the
 * setting required is lost.
 */
type Rule<T extends StepType> = (was: StepOf<T>, is: StepOf<T> | null, sides: Sides) => Found[];

const skipAllowed = ({ config }: Step, is: Step | null): Found[] =>
  config.skip === 'never' && is?.config.skip !== 'never'
    ? [{ code: 'skip_allowed', effect: 'loss', before: 'never', after: null }]
    : [];

/**
 * The meaning of a change to each setting. A setting without a rule (`null`) is a text, is part of no control, or is
 * compared elsewhere, for example the branches of a condition in `paths.ts`.
 */
const RULES: { [T in StepType]: { [Setting in keyof StepConfigByType[T]]-?: Rule<T> | null } } = {
  manual: {
    // Compared together with the assignee.
    assignedRole: null,
    requiresApproval: (was, is) =>
      isSignedOff(was) && !(is && isSignedOff(is))
        ? [{ code: 'sign_off_dropped', effect: 'loss', before: true, after: false }]
        : [],
    fields: weakerFields,
    skip: skipAllowed,
  },
  approval: {
    assignedRole: null,
    requiresApproval: null,
    minimumApprovers: (was, is) => {
      const [before, after] = [approversOf(was), is ? approversOf(is) : null];
      if (after === null) return [{ code: 'approval_removed', effect: 'loss', before, after, covers: [] }];
      return after < before ? [{ code: 'fewer_approvers', effect: 'loss', before, after }] : [];
    },
    separateFrom: (was, is) =>
      was.config.separateFrom && !is?.config.separateFrom
        ? [{ code: 'separation_dropped', effect: 'loss', how: 'setting', before: true, after: false }]
        : [],
    onReject: softerRejection,
    skip: skipAllowed,
  },
  automated: {
    script: (was, is) => {
      const [before, after] = [was.config.script ?? '', is?.config.script ?? ''];
      return before.trim() === after.trim() ? [] : [{ code: 'script_changed', effect: 'unknown', before, after }];
    },
    timeout: null,
    skip: skipAllowed,
  },
  condition: {
    condition: (was, is) => {
      const [before, after] = [was.config.condition ?? '', is?.config.condition ?? ''];
      if (is && before.trim() === after.trim()) return [];
      return [{ code: 'condition_changed', effect: 'unknown', how: 'expression', before, after }];
    },
    trueNext: null,
    falseNext: null,
    skip: skipAllowed,
  },
  notification: {
    recipients: (was, is) => {
      const [before, after] = [recipientsOf(was), is ? recipientsOf(is) : []];
      if (includesAll(after, before)) return [];
      return [{ code: 'recipient_lost', effect: 'loss', how: 'recipients', before, after }];
    },
    template: null,
    channels: (was, is) => {
      const [before, after] = [was.config.channels ?? [], is?.config.channels ?? []];
      if (includesAll(after, before)) return [];
      return [{ code: 'recipient_lost', effect: 'loss', how: 'channels', before: [...before], after: [...after] }];
    },
    skip: skipAllowed,
  },
};

const includesAll = <T>(list: readonly T[], others: readonly T[]): boolean =>
  others.every((other) => list.includes(other));

/** Returns the findings about the step itself, by the rules of its settings, its people and its clock. */
export function stepFindings(sides: Sides, was: Step): ChangeFinding[] {
  const is = sides.now.get(was.id);
  const at = sides.named(was.id);
  const found = is === undefined ? removed(sides, was) : [...settingsFindings(sides, was, is), ...looserClock(was, is)];
  return found.map((each) => ({ ...at, ...each }));
}

/**
 * Returns findings for a new step that can do something nobody has approved. An added control or task weakens nothing.
 */
export function newStepFindings(sides: Sides, is: Step): ChangeFinding[] {
  const at = sides.named(is.id);
  if (is.type === 'automated' && is.config.script?.trim()) {
    const after = is.config.script;
    return [{ ...at, code: 'script_changed', effect: 'unknown', before: null, after }];
  }
  if (is.type === 'condition') {
    const after = is.config.condition ?? '';
    return [{ ...at, code: 'condition_changed', effect: 'unknown', how: 'expression', before: null, after }];
  }
  return [];
}

function settingsFindings(sides: Sides, was: Step, is: Step): Found[] {
  if (was.type === is.type) return [...byRules(was, is, sides), ...changedPeople(was, is)];
  const type: Found = { code: 'type_changed', effect: 'unknown', before: was.type, after: is.type };
  // `skip` is a setting of every type, so the new type can have it too.
  const lost = byRules(was, null, sides).filter(({ code }) => code !== 'skip_allowed' || is.config.skip !== 'never');
  if (was.type === 'approval') return [removedApproval(was, lost), type];
  // An approval step replaces a sign-off, because it is stronger.
  return [...(is.type === 'approval' ? lost.filter(({ code }) => code !== 'sign_off_dropped') : lost), type];
}

function removed(sides: Sides, was: Step): Found[] {
  const lost = [...byRules(was, null, sides), ...looserClock(was, null)];
  if (was.type === 'approval') return [removedApproval(was, lost)];
  return [
    ...lost.filter(({ code }) => code === 'sign_off_dropped'),
    { code: 'step_removed', effect: 'unknown', before: was.type, after: null, covers: codesOf(lost) },
  ];
}

const removedApproval = (was: ApprovalStep, lost: readonly Found[]): Found => ({
  code: 'approval_removed',
  effect: 'loss',
  before: approversOf(was),
  after: null,
  covers: codesOf(lost).filter((code) => code !== 'approval_removed'),
});

const codesOf = (found: readonly Found[]): FindingCode[] => [...new Set(found.map(({ code }) => code))];

function byRules<T extends StepType>(was: StepOf<T>, is: StepOf<T> | null, sides: Sides): Found[] {
  const rules: (Rule<T> | null)[] = Object.values(RULES[was.type]);
  return rules.flatMap((rule) => rule?.(was, is, sides) ?? []);
}

const isSignedOff = ({ config }: ManualStep): boolean => config.requiresApproval === true;

const approversOf = ({ config }: ApprovalStep): number =>
  config.minimumApprovers ?? STEP_KINDS.approval.defaults.config.minimumApprovers;

const recipientsOf = ({ config }: NotificationStep): string[] => [
  ...new Set((config.recipients ?? []).map((each) => each.trim().toLowerCase()).filter((each) => each !== '')),
];

/** Returns the addresses, roles, groups and `starter` that a step of people names; empty if it names nobody. */
function peopleOf(step: PersonStep): string[] {
  const { roles, groups, starter } = performersOf(step, null);
  const emails = assigneeNames(step.assignee).map((name) => name.toLowerCase());
  return [
    ...new Set(emails.filter(isEmail)),
    ...roles,
    ...groups.map(groupAssignee),
    ...(starter === null ? [] : [STARTER]),
  ];
}

function changedPeople(was: Step, is: Step): Found[] {
  if (!isPersonStep(was) || !isPersonStep(is)) return [];
  const [before, after] = [peopleOf(was), peopleOf(is)];
  if (before.length === after.length && includesAll(after, before)) return [];
  const signOff = was.type === 'manual';
  const decides = signOff ? isSignedOff(was) && is.type === 'manual' && isSignedOff(is) : true;
  if (decides && isWider(before, after)) return [{ code: 'approver_widened', effect: 'loss', signOff, before, after }];
  const isNarrower = before.length === 0 || (after.length > 0 && includesAll(before, after));
  return [{ code: 'people_changed', effect: isNarrower ? 'gain' : 'unknown', before, after }];
}

function isWider(before: readonly string[], after: readonly string[]): boolean {
  if (before.length === 0) return false;
  return (
    after.length === 0 ||
    widthOf(after) > widthOf(before) ||
    (after.length > before.length && includesAll(after, before))
  );
}

/**
 * A measure of how easily other people can match these names, from 0 (addresses) to 3 (the person who starts the run).
 */
const widthOf = (names: readonly string[]): number =>
  Math.max(
    ...names.map((name) => {
      if (name === STARTER) return 3;
      if (assignedOrgRole(name) !== null) return 2;
      return assignedGroup(name) === null ? 0 : 1;
    }),
  );

/**
 * Compares the steps that a rejection returns to. A rejection is softer if it repeats less work, or no longer fails the
 * run.
 */
function softerRejection(was: ApprovalStep, is: ApprovalStep | null, sides: Sides): Found[] {
  const [from, to] = [was.config.onReject || null, is?.config.onReject || null];
  if (is === null || to === null || from === to) return [];
  if (from !== null) {
    const side = sides.now.has(from) ? 'after' : 'before';
    if (idsIn(sides.places[side].earlier(from), sides.ids).includes(to)) return [];
  }
  const named = (stepId: string | null) => (stepId === null ? null : sides.named(stepId));
  return [{ code: 'rejection_softened', effect: 'loss', before: named(from), after: named(to) }];
}

const isEvidence = ({ kind }: InputField): boolean => kind === 'file_link' || isFileKind(kind);

/** Compares forms: fields that a run no longer has to fill in, or that accept more than before. */
function weakerFields(was: ManualStep, is: ManualStep | null): Found[] {
  const now = new Map((is?.config.fields ?? []).map((field) => [field.id, field]));
  const weaker = (was.config.fields ?? []).filter((field) => isWeaker(field, now.get(field.id)));
  const found = (code: 'evidence_dropped' | 'field_loosened', before: InputField[]): Found[] =>
    before.length === 0 ? [] : [{ code, effect: 'loss', before, after: before.flatMap(({ id }) => now.get(id) ?? []) }];
  return [
    ...found('evidence_dropped', weaker.filter(isEvidence)),
    ...found(
      'field_loosened',
      weaker.filter((field) => !isEvidence(field)),
    ),
  ];
}

function isWeaker(was: InputField, is: InputField | undefined): boolean {
  if (is === undefined) return was.required || was.requiredIf !== undefined;
  if (was.required && !is.required) return true;
  // Only a person can judge whether the new condition is true more often than the old one.
  if (was.requiredIf !== undefined && !is.required && is.requiredIf?.trim() !== was.requiredIf.trim()) return true;
  // A text field accepts anything, so every other kind accepts less.
  if (was.kind !== is.kind) return !isText(was);
  if (isLimitWeaker(was, is)) return true;
  return !includesAll(was.options ?? [], is.options ?? []);
}

const isText = ({ kind }: InputField): boolean => kind === 'text' || kind === 'long_text';

/** The limits of a number with another unit aren't comparable. */
function isLimitWeaker(was: InputField, is: InputField): boolean {
  const isLimited = was.min !== undefined || was.max !== undefined;
  if (isLimited && was.unit !== is.unit) return true;
  const isLower = was.min !== undefined && (is.min === undefined || is.min < was.min);
  return isLower || (was.max !== undefined && (is.max === undefined || is.max > was.max));
}

/** Returns a finding if the step may take longer now. `is` is null if the step was removed. */
function looserClock(was: Step, is: Step | null): Found[] {
  const ms = slaMsOf(was.sla);
  if (ms === null) return [];
  const before: Clock<number> = { text: was.sla, ms };
  const after: Clock = { text: is?.sla ?? '', ms: is ? slaMsOf(is.sla) : null };
  if (after.ms === null) return [{ code: 'clock_removed', effect: 'loss', before, after }];
  return after.ms > ms ? [{ code: 'clock_loosened', effect: 'loss', before, after }] : [];
}
