import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Step } from '../steps/index.ts';
import { actingFor, isDone, type RunActor, type RunState, stepStateOf } from './state.ts';
import { workflowOf } from '../workflows/workflow.arbitrary.ts';
import { applyFacts } from './apply.ts';
import type { RunCommand } from './commands.ts';
import { decide } from './decide.ts';
import { currentStepIds } from './display.ts';
import { STEP_TYPES, isServerType } from '../steps/index.ts';
import type { RunFact } from './facts.ts';
import { RunModel } from './run.model.ts';
import { actorOf, Scenario } from './run.scenario.ts';
import { slaMomentsOf, slaStateAt } from './sla-moments.ts';
import { slaStateOfRun } from './view.ts';
import { commandOf, type IntendedCommand, onwardCommand, intendedCommand } from './intended-command.arbitrary.ts';

const COMMANDS = [
  'complete',
  'skip',
  'approve',
  'reject',
  'pause',
  'resume',
  'cancel',
  'retry',
  'fail_step',
] as const satisfies readonly RunCommand['type'][];

/** Names a report by the type of its step. */
const nameOf = (command: RunCommand): string =>
  command.type === 'finish_step' ? `finish ${command.report.kind}` : command.type;

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) frozen(each);
  }
  return value;
}

// Replaces `expect`, which takes as long as a decision, because there are thousands of each.
function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(`not true: ${what}`);
}

/** The person, and the delegator if there is one. */
function peopleIn({ who, onBehalfOf }: IntendedCommand, { type }: RunCommand): string[] {
  const isDelegated = type === 'complete' || type === 'approve' || type === 'reject';
  return onBehalfOf !== null && onBehalfOf !== who && isDelegated ? [who, onBehalfOf] : [who];
}

function actorFor([who = '', onBehalfOf]: readonly string[], command: RunCommand): RunActor {
  const actor = actorOf('activation' in command ? 'system' : who);
  return onBehalfOf === undefined ? actor : actingFor(actor, actorOf(onBehalfOf));
}

/** Also compares the key order, because a run's digest and stored state depend on the text. */
const isSame = (one: RunState, other: RunState): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Applies facts one by one, and checks that each was possible. */
function applied(workflow: { steps: Step[] }, start: RunState | null, facts: readonly RunFact[]): RunState {
  let state = start;
  for (const fact of facts) {
    const step = state && 'stepId' in fact && fact.stepId !== null ? stepStateOf(state, fact.stepId) : undefined;
    must(!state || fact.at >= state.updatedAt, 'times never decrease');
    if (fact.type === 'step_activated') {
      must(step?.state === 'waiting' || step?.state === 'failed', 'no step becomes active twice');
      must(fact.activation === (step?.activation ?? 0) + 1, 'activations count up');
    } else if ('activation' in fact) {
      must(fact.activation === step?.activation, 'a fact refers to the current activation');
    }
    const isOfActive = [
      'step_completed',
      'step_failed',
      'step_approved',
      'step_rejected',
      'step_submitted',
      'step_returned',
      'step_skip_agreed',
    ];
    if (isOfActive.includes(fact.type)) must(step?.state === 'active', `${fact.type} is about an active step`);
    if (fact.type === 'step_skipped')
      must(step?.state === (fact.onward ? 'active' : 'waiting'), 'only an active or waiting step is skipped');
    state = frozen(applyFacts(workflow, state, [fact]));
  }
  if (!state) throw new Error('No facts');
  return state;
}

function mustBeSound(steps: readonly Step[], state: RunState, model: RunModel): void {
  const shown = steps.map(({ id }) => {
    const step = stepStateOf(state, id);
    return `${id} ${step?.state === 'skipped' && !step.onward ? 'passed' : step?.state}`;
  });
  const expected = steps.map(({ id }) => `${id} ${model.stateOf(id)}`);
  if ([state.status, ...shown].join() !== [model.runStatus, ...expected].join()) {
    expect([state.status, ...shown]).toEqual([model.runStatus, ...expected]);
  }
  for (const { id } of steps) {
    must(stepStateOf(state, id)?.activation === model.activationOf(id), `${id} was activated as often as in the model`);
  }
  for (const { id, next } of steps) {
    const isOpen = !isDone(stepStateOf(state, id));
    must(
      !isOpen || next.every((target) => stepStateOf(state, target)?.state === 'waiting'),
      `the successors of ${id} are waiting`,
    );
  }
  const isAnyActive = steps.some(({ id }) => stepStateOf(state, id)?.state === 'active');
  if (state.status === 'running' || state.status === 'paused') must(isAnyActive, 'a running run has an active step');
  if (state.status === 'completed')
    must(
      steps.every(({ id }) => isDone(stepStateOf(state, id))),
      'a run is completed when all its steps are done',
    );
}

test('a run stays valid and follows from its facts for any sequence of actions by people and jobs', () => {
  const tried = new Map<string, Set<boolean>>();
  const playRuns = () =>
    fc.assert(
      fc.property(
        workflowOf({ maxSteps: 9 }),
        fc.array(intendedCommand, { maxLength: 60 }),
        (steps, intendedCommands) => {
          const workflow = frozen({ steps });
          const model = new RunModel(steps, 'ann');
          const history: RunFact[] = [];
          let now = 1_000_000_000;
          const started = decide(workflow, null, { type: 'start' }, { at: now, actor: actorOf('ann') });
          if (!started.ok) throw new Error('A valid workflow was not started');
          history.push(...started.facts);
          let state = applied(workflow, null, started.facts);
          must(isSame(started.state, state), 'the decided state follows from its facts');
          mustBeSound(steps, state, model);

          for (const intended of intendedCommands) {
            now += intended.minutes * 60_000;
            const command = commandOf(steps, state, intended);
            const people = peopleIn(intended, command);
            const decision = decide(workflow, state, command, { at: now, actor: actorFor(people, command) });
            const isAccepted = model.accepts(command, people);
            must(decision.ok === isAccepted, `${JSON.stringify(command)} is ${isAccepted ? 'accepted' : 'refused'}`);
            tried.set(nameOf(command), (tried.get(nameOf(command)) ?? new Set()).add(decision.ok));
            if (!decision.ok) continue;
            must(decision.facts.length > 0 || command.type === 'watch_clocks', 'an accepted command has facts');
            const before = state;
            state = applied(workflow, state, decision.facts);
            must(isSame(decision.state, state), 'the decided state follows from its facts');
            history.push(...decision.facts);
            model.note(command, people);
            mustBeSound(steps, state, model);

            const named = new Set(decision.facts.flatMap((fact) => ('stepId' in fact ? [fact.stepId] : [])));
            for (const { id } of steps) {
              // Only the end of a pause changes the clocks of steps that no fact names.
              if (command.type === 'resume' || command.type === 'cancel' || named.has(id)) continue;
              must(
                JSON.stringify(stepStateOf(state, id)) === JSON.stringify(stepStateOf(before, id)),
                `facts explain ${id}`,
              );
            }
          }
          const stored = JSON.parse(JSON.stringify(history)) as RunFact[];
          expect(applied(workflow, null, stored)).toEqual(state);
          expect(JSON.parse(JSON.stringify(state))).toEqual(state);
          for (const later of [0, 20, 40, 300, 3000].map((minutes) => state.updatedAt + minutes * 60_000)) {
            expect(slaStateAt(slaMomentsOf(state), later)).toBe(slaStateOfRun(state, later));
          }
        },
      ),
      { numRuns: 500 },
    );
  // Each of `names` must be tried both in a state that accepts it and in one that refuses it. By chance, one of them
  // can be missing after 500 runs. Here, `start` is always refused and `watch_clocks` always accepted.
  const names = [...COMMANDS, ...STEP_TYPES.filter(isServerType).map((type) => `finish ${type}`)];
  for (let plays = 0; plays < 5 && names.some((name) => (tried.get(name)?.size ?? 0) < 2); plays += 1) playRuns();
  for (const name of names) expect(tried.get(name), name).toEqual(new Set([false, true]));
  expect(tried.get('start')).toEqual(new Set([false]));
  expect(tried.get('watch_clocks')).toEqual(new Set([true]));
}, 60_000);

test('every valid workflow can be completed if a different person takes each action', () => {
  fc.assert(
    fc.property(workflowOf({ maxSteps: 12 }), fc.infiniteStream(fc.boolean()), (steps, results) => {
      const run = new Scenario(steps);
      for (let person = 0; run.state.status === 'running'; person++) {
        expect(person).toBeLessThan(steps.length * 3 + 1);
        const stepId = currentStepIds({ steps }, run.state)[0] ?? '';
        run.act(onwardCommand(steps, run.state, stepId, 1, results.next().value === true), `person ${person}`);
      }
      expect(run.state.status).toBe('completed');
      const activations = run.facts.flatMap((fact) => (fact.type === 'step_activated' ? [fact.stepId] : []));
      expect(new Set(activations).size).toBe(activations.length);
    }),
  );
});
