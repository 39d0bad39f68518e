import { isEmail } from '../../access/assignee.ts';
import { parseDuration } from '../../sla/duration.ts';
import type { Step } from '../../steps/index.ts';

/**
 * Test support: steps with every possible path of a run, with at most `REJECTIONS` returns. `straight` are the paths
 * without a rejection, each with the conditions that were answered yes.
 */
export type Read = { steps: readonly Step[]; straight: readonly Straight[]; plays: readonly Play[] };
type Straight = { play: Play; yes: ReadonlySet<string> };

/**
 * Test support: a property of every run of a workflow, such as "cfo is approved before pay starts". It is computed
 * independently of the classifier, by following every path of a small workflow once for each combination of answers.
 */
export type Promised = { what: string; stepId: string; isKeptBy(now: Read): boolean };

/** One path of a run: the steps that it executes. */
type Play = Map<string, Done>;
/** `before`: the steps executed earlier. `from`: the predecessors from which a taken branch leads to the step. */
type Done = { before: ReadonlySet<string>; from: ReadonlySet<string> };
/** The steps that rejections have returned the run to, with the steps executed before each rejection. */
type Returns = ReadonlyMap<string, ReadonlySet<string>>;

/** Maximum number of returns in one path. */
const REJECTIONS = 2;

/** Follows one path for each combination of answers to the conditions, and the paths after rejections. */
export function read(steps: readonly Step[]): Read {
  const conditions = steps.filter(({ type }) => type === 'condition');
  const plays = Array.from({ length: 2 ** conditions.length }, (_, answers): Straight & { after: Play[] } => {
    const answerOf = (step: Step) => ((answers >> conditions.indexOf(step)) & 1) === 1;
    const yes = new Set(conditions.filter(answerOf).map(({ id }) => id));
    const ways: Ways = new Map(steps.map((step) => [step.id, waysOut(step, answerOf)]));
    const play = follow(steps, ways, new Map());
    return { play, yes, after: afterRejections(steps, ways, play, new Map()) };
  });
  return { steps, straight: plays, plays: plays.flatMap(({ play, after }) => [play, ...after]) };
}

type Ways = ReadonlyMap<string, readonly string[]>;

function afterRejections(steps: readonly Step[], ways: Ways, play: Play, returns: Returns): Play[] {
  if (returns.size === REJECTIONS) return [];
  return steps.flatMap((step) => {
    const rejected = play.get(step.id);
    if (step.type !== 'approval' || !step.config.onReject || rejected === undefined) return [];
    // A return to a step that was already reached only repeats steps.
    if (play.has(step.config.onReject)) return [];
    const more = new Map([...returns, [step.config.onReject, rejected.before] as const]);
    const again = follow(steps, ways, more);
    return [again, ...afterRejections(steps, ways, again, more)];
  });
}

/**
 * Returns the steps after a condition's answer: the step named for this answer, and possibly the steps that neither
 * answer names. Those are included if the other answer has its own step, or if no answer has one.
 */
function waysOut(step: Step, answerOf: (step: Step) => boolean): readonly string[] {
  if (step.type !== 'condition') return step.next;
  const { trueNext, falseNext } = step.config;
  const [yes, no] = [trueNext, falseNext].map((id) => step.next.find((each) => each === id));
  const unnamed = step.next.filter((id) => id !== yes && id !== no);
  const [own, other] = answerOf(step) ? [yes, no] : [no, yes];
  if (own === undefined) return unnamed;
  return other === undefined ? [own] : [own, ...unnamed];
}

function follow(steps: readonly Step[], ways: Ways, returns: Returns): Play {
  const previous = (id: string) => steps.filter(({ next }) => next.includes(id)).map((step) => step.id);
  const from = new Map<string, Set<string>>();
  const walk = (id: string, path: readonly string[]) => {
    from.set(id, new Set([...(from.get(id) ?? []), ...path]));
    for (const next of ways.get(id) ?? []) walk(next, [...path, id]);
  };
  for (const { id } of steps) if (previous(id).length === 0 || returns.has(id)) walk(id, []);
  // A step waits until each predecessor has been executed or certainly won't be executed.
  const earlier = (id: string): string[] =>
    previous(id).flatMap((each) => [...(from.has(each) ? [each] : []), ...before(each)]);
  const before = (id: string): readonly string[] => [...(returns.get(id) ?? earlier(id))];
  return new Map([...from].map(([id, path]) => [id, { before: new Set(before(id)), from: path }]));
}

const isControl = (step: Step | undefined): boolean =>
  step?.type === 'approval' || (step?.type === 'manual' && step.config.requiresApproval === true);

/** True if every run that reaches `stepId` has executed this step before it. */
function isAlwaysBefore(plays: readonly Play[], control: string, stepId: string): boolean {
  const reaching = plays.filter((play) => play.has(stepId));
  return reaching.length > 0 && reaching.every((play) => play.get(stepId)?.before.has(control));
}

/** Returns the promises of these steps. */
export function promisesOf(first: Read): Promised[] {
  const { steps, straight, plays } = first;
  const find = (all: readonly Step[], id: string) => all.find((step) => step.id === id);
  const order = steps.flatMap((control) =>
    isControl(control)
      ? steps
          .filter(({ id }) => id !== control.id && isAlwaysBefore(plays, control.id, id))
          .map(({ id }): Promised => ({
            what: 'approved before',
            stepId: control.id,
            isKeptBy: (now) => find(now.steps, id) === undefined || isAlwaysBefore(now.plays, control.id, id),
          }))
      : [],
  );
  const always = steps
    .filter(({ id }) => straight.every(({ play }) => play.has(id)))
    .map(({ id }): Promised => ({
      what: 'always done',
      stepId: id,
      isKeptBy: (now) => now.straight.every(({ play }) => play.has(id)),
    }));
  const follows = (read: Read, condition: string, answer: boolean, id: string): boolean =>
    read.straight.some(({ play, yes }) => yes.has(condition) === answer && play.get(id)?.from.has(condition) === true);
  const answers = steps
    .filter(({ type }) => type === 'condition')
    .flatMap((condition) => [true, false].flatMap((answer) => steps.map(({ id }) => ({ condition, answer, id }))))
    .filter(({ condition, answer, id }) => follows(first, condition.id, answer, id))
    .map(({ condition, answer, id }): Promised => ({
      what: 'follows an answer',
      stepId: condition.id,
      isKeptBy: (now) =>
        !find(now.steps, id) || !find(now.steps, condition.id) || follows(now, condition.id, answer, id),
    }));
  return [...order, ...always, ...answers, ...steps.flatMap(ofStep)];
}

/** Returns the promises that a single step's settings make. */
function ofStep(step: Step): Promised[] {
  const promises: Promised[] = [];
  const promise = (what: string, keeps: (now: Step) => boolean) =>
    promises.push({
      what,
      stepId: step.id,
      isKeptBy: (now) => now.steps.some((each) => each.id === step.id && keeps(each)),
    });
  const ms = clockOf(step);
  if (ms !== null) promise('clock', (now) => (clockOf(now) ?? Number.POSITIVE_INFINITY) <= ms);
  if (step.config.skip) promise('never skipped', (now) => now.config.skip === 'never');
  switch (step.type) {
    case 'manual':
      if (step.config.requiresApproval) promise('signed off', (now) => isControl(now));
      for (const field of step.config.fields ?? []) {
        promise('field', (now) => {
          const is = now.type === 'manual' ? now.config.fields?.find(({ id }) => id === field.id) : undefined;
          if (is === undefined) return !field.required;
          const isWithin =
            (field.min === undefined || (is.min ?? Number.NEGATIVE_INFINITY) >= field.min) &&
            (field.max === undefined || (is.max ?? Number.POSITIVE_INFINITY) <= field.max);
          const accepts =
            is.kind === field.kind && isWithin && (is.options ?? []).every((each) => field.options?.includes(each));
          return (accepts || field.kind === 'text') && (is.required || !field.required);
        });
      }
      break;
    case 'approval': {
      const votes = step.config.minimumApprovers ?? 1;
      promise('approvers', (now) => now.type === 'approval' && (now.config.minimumApprovers ?? 1) >= votes);
      if (step.config.separateFrom) {
        promise('separate', (now) => now.type === 'approval' && now.config.separateFrom === true);
      }
      const people = namesOf(step);
      if (people.length > 0) {
        promise('people', (now) => namesOf(now).length > 0 && namesOf(now).every((name) => people.includes(name)));
      }
      if (!step.config.onReject) promise('rejection', (now) => now.type === 'approval' && !now.config.onReject);
      break;
    }
    case 'automated': {
      const { script } = step.config;
      promise('script', (now) => now.type === 'automated' && now.config.script === script);
      break;
    }
    case 'condition': {
      const { condition } = step.config;
      promise('condition', (now) => now.type === 'condition' && now.config.condition === condition);
      break;
    }
    case 'notification':
      for (const recipient of step.config.recipients ?? []) {
        promise(
          'recipient',
          (now) => now.type === 'notification' && now.config.recipients?.includes(recipient) === true,
        );
      }
  }
  return promises;
}

function clockOf({ sla }: Step): number | null {
  const parsed = parseDuration(sla);
  return parsed.ok ? parsed.ms : null;
}

function namesOf(step: Step): string[] {
  const role = 'assignedRole' in step.config ? (step.config.assignedRole ?? '') : '';
  const isName = (name: string) => isEmail(name) || /^(?:reviewer|admin|starter|group:\w+)$/.test(name);
  return [...step.assignee.split(', '), role].filter(isName);
}
