import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currentStepIds } from '../../runs/display.ts';
import { Scenario } from '../../runs/run.scenario.ts';
import { onwardCommand } from '../../runs/intended-command.arbitrary.ts';
import type { Step } from '../../steps/index.ts';
import { stepsOf, workflowOf } from '../../workflows/workflow.arbitrary.ts';
import { idsIn, isControl, stepPlaces } from './step-places.ts';

const controlIds = (steps: readonly Step[]) => steps.filter(isControl).map(({ id }) => id);

const approval = (config: object = {}) => ({ type: 'approval' as const, config });
const condition = (config: object = {}) => ({ type: 'condition' as const, config });

/** Returns the steps that each control precedes, such as `{ ok: 'pay ship' }`. */
function placesOf(steps: Step[]): Record<string, string> {
  const standsBefore = placesIn(steps);
  return Object.fromEntries(
    controlIds(steps).map((control) => [
      control,
      steps
        .map(({ id }) => id)
        .filter((id) => standsBefore(control, id))
        .join(' '),
    ]),
  );
}

function placesIn(steps: Step[]): (control: string, stepId: string) => boolean {
  const controls = controlIds(steps);
  const places = stepPlaces(steps, controls);
  const before = new Map(steps.map(({ id }) => [id, idsIn(places.before(id), controls)]));
  return (control, stepId) => before.get(stepId)?.includes(control) ?? false;
}

describe('an approval', () => {
  it('precedes all its successors in a chain, but no earlier step', () => {
    expect(placesOf(stepsOf({ work: 'ok', ok: 'pay', pay: 'ship', ship: '' }, { ok: approval() }))).toEqual({
      ok: 'pay ship',
    });
  });

  it('precedes a join that waits for it, even if another path bypasses it', () => {
    expect(placesOf(stepsOf({ work: 'ok other', ok: 'pay', other: 'pay', pay: '' }, { ok: approval() }))).toEqual({
      ok: 'pay',
    });
  });

  it('doesn’t precede a step that a condition’s branch reaches without it', () => {
    const links = { if: 'ok pay', ok: 'pay', pay: '' };
    expect(placesOf(stepsOf(links, { if: condition({ trueNext: 'ok', falseNext: 'pay' }), ok: approval() }))).toEqual({
      ok: '',
    });
    // If a condition names no branch, both of its results lead to all next steps.
    expect(placesOf(stepsOf(links, { if: condition(), ok: approval() }))).toEqual({ ok: 'pay' });
  });

  it('doesn’t precede the step where its branch meets a branch with another approval', () => {
    const links = { if: 'a b', a: 'pay', b: 'pay', pay: '' };
    const steps = stepsOf(links, {
      if: condition({ trueNext: 'a', falseNext: 'b' }),
      a: approval(),
      b: approval(),
    });
    expect(placesOf(steps)).toEqual({ a: '', b: '' });
  });

  it('precedes the next step even if it is the sign-off of a manual step', () => {
    expect(placesOf(stepsOf({ a: 'b', b: '' }, { a: { type: 'manual', config: { requiresApproval: true } } }))).toEqual(
      { a: 'b' },
    );
  });

  it('doesn’t precede steps that a rejection makes reachable without it', () => {
    const links = { if: 'ok other', ok: 'pay', pay: 'last', other: 'last', last: '' };
    const details = { if: condition({ trueNext: 'ok', falseNext: 'other' }), ok: approval(), last: approval() };
    expect(placesOf(stepsOf(links, details))).toEqual({ ok: 'pay', last: '' });
    expect(placesOf(stepsOf(links, { ...details, last: approval({ onReject: 'pay' }) }))).toEqual({ ok: '', last: '' });
  });

  it('doesn’t precede steps after a cycle, because no run can reach them', () => {
    expect(placesOf(stepsOf({ ok: 'a', a: 'b', b: 'a' }, { ok: approval() }))).toEqual({ ok: '' });
  });
});

/** Simulates one run that rejects each step in `toReject` once. Returns the steps completed before each activation. */
function playRun(
  steps: Step[],
  decisions: ReadonlyMap<string, boolean>,
  toReject: Set<string>,
): { stepId: string; passed: Set<string> }[] {
  const run = new Scenario(steps);
  const reached: { stepId: string; passed: Set<string> }[] = [];
  let seen = 0;
  const passed = new Set<string>();
  const note = () => {
    for (const fact of run.facts.slice(seen)) {
      if (fact.type === 'step_reset') passed.delete(fact.stepId);
      if (fact.type === 'step_completed') passed.add(fact.stepId);
      if (fact.type === 'step_activated') reached.push({ stepId: fact.stepId, passed: new Set(passed) });
    }
    seen = run.facts.length;
  };
  note();
  for (let turn = 0; turn < 400; turn++) {
    const [id] = currentStepIds({ steps }, run.state);
    if (id === undefined || run.state.status !== 'running') return reached;
    const step = steps.find((each) => each.id === id) as Step;
    const waits = run.step(id);
    const isSubmitted = waits.state === 'active' && waits.submitted !== null;
    if (toReject.delete(id)) run.act({ type: 'reject', stepId: id, comments: 'again' }, 'bob');
    else if (step.type === 'approval' || isSubmitted) run.act({ type: 'approve', stepId: id }, 'bob');
    else run.act(onwardCommand(steps, run.state, id, waits.activation, decisions.get(id) ?? true), 'ann');
    note();
  }
  throw new Error('the run does not end');
}

const calm = (steps: Step[], { rejections }: { rejections: boolean }): Step[] =>
  steps.map((step) => {
    if (step.type === 'approval')
      return { ...step, config: rejections && step.config.onReject ? { onReject: step.config.onReject } : {} };
    return step.type === 'manual' ? { ...step, config: { ...step.config, fields: [] } } : step;
  });

const allDecisions = (steps: Step[]): Map<string, boolean>[] =>
  steps
    .filter(({ type }) => type === 'condition')
    .reduce<Map<string, boolean>[]>(
      (known, { id }) =>
        known.flatMap((each) => [true, false].map((result) => new Map<string, boolean>([...each, [id, result]]))),
      [new Map<string, boolean>()],
    );

describe('the run core', () => {
  it('agrees with the computed order for every choice of branches', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 8 }), (drawn) => {
        const steps = calm(drawn, { rejections: false });
        const standsBefore = placesIn(steps);
        const reached = allDecisions(steps).flatMap((decisions) => playRun(steps, decisions, new Set()));
        for (const control of steps.filter(isControl)) {
          for (const { id } of steps) {
            const visits = reached.filter(({ stepId }) => stepId === id);
            // Parallel work may happen to come first; only the controls on a path to the step are required.
            const isOnPath = leadsTo(steps, control.id, id);
            const always = visits.length > 0 && visits.every(({ passed }) => passed.has(control.id));
            if (visits.length > 0) {
              expect(standsBefore(control.id, id), `${control.id} before ${id}`).toBe(isOnPath && always);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('never activates a step before a control that precedes it, whatever is rejected', () => {
    fc.assert(
      fc.property(workflowOf({ maxSteps: 9 }), fc.array(fc.nat(8)), fc.nat(63), (drawn, rejected, choice) => {
        const steps = calm(drawn, { rejections: true });
        const standsBefore = placesIn(steps);
        const returning = rejected.flatMap((at) => {
          const step = steps[at];
          return step?.type === 'approval' && step.config.onReject ? [step.id] : [];
        });
        const decisions = allDecisions(steps);
        const reached = playRun(steps, decisions[choice % decisions.length] ?? new Map(), new Set(returning));
        for (const { stepId, passed } of reached) {
          for (const control of controlIds(steps)) {
            if (!passed.has(control)) expect(standsBefore(control, stepId)).toBe(false);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

function leadsTo(steps: Step[], from: string, to: string): boolean {
  const next = steps.find(({ id }) => id === from)?.next ?? [];
  return next.some((id) => id === to || leadsTo(steps, id, to));
}
