import { STEP_KINDS, type Step } from '../../steps/index.ts';
import { idsIn, lostFrom, sharedIds, type StepSet } from './step-places.ts';
import type { ChangeFinding } from './finding.ts';
import type { Sides } from './sides.ts';

/** Returns the findings about the paths of runs: bypassed approvals, lost separation, branches, and the order. */
export const pathFindings = (sides: Sides): ChangeFinding[] => [
  ...bypassed(sides),
  ...[...sides.was.values()].flatMap((step) => [...lostSeparation(sides, step), ...changedBranches(sides, step)]),
  ...lostOrder(sides),
];

/** Returns findings for the controls that no longer precede a step, or no longer wait for earlier work. */
function bypassed(sides: Sides): ChangeFinding[] {
  const { ids, controls, named, listed } = sides;
  const { before: then, after: now } = sides.places;
  const open = new Set<string>();
  const unguarded = new Map<string, string[]>();
  const unawaited = new Map<string, string[]>();
  const note = (lost: Map<string, string[]>, lostControls: readonly string[], stepId: string) => {
    for (const control of lostControls) {
      const stepIds = lost.get(control);
      if (stepIds) stepIds.push(stepId);
      else lost.set(control, [stepId]);
    }
  };
  for (const { id, type } of sides.was.values()) {
    const successor = sides.successorOf(id);
    if (successor === undefined) continue;
    const guards = then.before(id);
    note(unguarded, lostFrom(guards, now.before(successor), controls, ids), successor);
    if (now.isRoot(successor) && !then.isRoot(id) && sharedIds(guards, controls, ids).length > 0) open.add(successor);
    if (STEP_KINDS[type].isWork) {
      note(unawaited, lostFrom(then.behind(id), now.behind(successor), controls, ids), successor);
    }
  }
  const starts: string[] = [];
  const losses = idsIn(controls, ids).flatMap((stepId): ChangeFinding[] => {
    const signOff = sides.was.get(stepId)?.type === 'manual';
    const finding = (how: 'before' | 'after', stepIds: readonly string[]): ChangeFinding => ({
      ...named(stepId),
      code: 'approval_bypassed',
      effect: 'loss',
      how,
      signOff,
      before: listed(stepIds),
      after: null,
    });
    const [steps, work] = [unguarded.get(stepId), unawaited.get(stepId)];
    const isBegun = work !== undefined && now.isRoot(stepId) && !signOff;
    if (isBegun && !open.has(stepId)) starts.push(stepId);
    return [...(steps ? [finding('before', steps)] : []), ...(work && !isBegun ? [finding('after', work)] : [])];
  });
  return [
    ...losses,
    ...[...starts, ...open].map((stepId): ChangeFinding => {
      const start = { code: 'approval_bypassed', how: 'start', before: null, after: null } as const;
      return { ...named(stepId), effect: 'loss', ...start };
    }),
  ];
}

/** Returns findings for work before an independent approval (`workBefore`) that other steps now separate from it. */
function lostSeparation(sides: Sides, was: Step): ChangeFinding[] {
  const isSeparated = (step: Step | undefined) => step?.type === 'approval' && step.config.separateFrom === true;
  if (!isSeparated(was) || !isSeparated(sides.now.get(was.id))) return [];
  const { after } = sides.places;
  const work = sides.workBefore('after', was.id);
  const direct = sides.previous('after', was.id);
  return [...sides.workBefore('before', was.id)].flatMap((id): ChangeFinding[] => {
    const wasDirect = sides.previous('before', was.id).includes(id);
    const isNear = wasDirect ? direct.includes(id) : work.has(id);
    if (isNear || !sides.now.has(id)) return [];
    const between = sharedIds(after.behind(id), after.earlier(was.id), sides.ids);
    if (between.length === 0) return [];
    const change = { before: sides.named(id), after: sides.listed(between) };
    return [{ ...sides.named(was.id), code: 'separation_dropped', effect: 'loss', how: 'between', ...change }];
  });
}

/**
 * Returns a finding if steps no longer follow an answer of this condition, or if steps that every run passed now depend
 * on it.
 */
function changedBranches(sides: Sides, was: Step): ChangeFinding[] {
  const is = sides.now.get(was.id);
  if (was.type !== 'condition' || is?.type !== 'condition') return [];
  const { before, after } = sides.places;
  const lostOf = (set: StepSet, other: StepSet) => lostFrom(set, other, sides.common, sides.ids);
  const uncertain = new Set(lostOf(before.certain, after.certain));
  const lost = new Set<string>();
  const gained = new Set<string>();
  for (const answer of [true, false]) {
    const [then, now] = [before.following(was.id, answer), after.following(was.id, answer)];
    for (const id of lostOf(then, now)) lost.add(id);
    for (const id of lostOf(now, then)) if (uncertain.has(id)) gained.add(id);
  }
  if (lost.size === 0 && gained.size === 0) return [];
  const change = { before: sides.listed([...lost]), after: sides.listed([...gained]) };
  return [{ ...sides.named(was.id), code: 'condition_changed', effect: 'unknown', how: 'branches', ...change }];
}

/** Returns a finding for the steps that no longer wait for others. `bypassed` handles controls. */
function lostOrder(sides: Sides): ChangeFinding[] {
  const { before, after } = sides.places;
  const waitedFor = new Set<string>();
  const early = idsIn(sides.others, sides.ids).filter((id) => {
    const lost = lostFrom(before.earlier(id), after.earlier(id), sides.others, sides.ids);
    for (const each of lost) waitedFor.add(each);
    return lost.length > 0;
  });
  const [first] = early;
  if (first === undefined) return [];
  const change = { before: sides.listed(early), waitedFor: sides.listed([...waitedFor]), after: null };
  return [{ ...sides.named(first), code: 'reordered', effect: 'unknown', how: 'waits', ...change }];
}
