import fc from 'fast-check';
import { expect, it } from 'vitest';
import { currentStepIds, type RunFact, stepStateOf } from '@stet/domain/runs';
import {
  commandOf,
  onwardCommand,
  Scenario,
  intendedCommand,
  type IntendedCommand,
  workflowOf,
} from '@stet/domain/testing';
import { STEP_TYPES, type Step } from '@stet/domain/steps';
import { checkGraph, sameJson } from '@stet/domain/workflows';
import { fieldChanges, fieldValues } from './change-words.ts';
import { diffSteps, nameSteps } from '@stet/domain/drafts';

type Edit = { kind: number; at: number; to: number; flag: boolean };
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.nat(8),
  at: fc.nat(20),
  to: fc.nat(20),
  flag: fc.boolean(),
});

/** Returns the steps after one edit that a person can make; unchanged if the result isn't a valid graph. */
function edited(steps: Step[], { kind, at, to, flag }: Edit): Step[] {
  const index = at % steps.length;
  const step = steps[index] as Step;
  const other = steps[to % steps.length] as Step;
  const replaced = (next: Step): Step[] => steps.map((each) => (each === step ? next : each));
  const changed = ((): Step[] => {
    switch (kind) {
      case 0:
        return steps.filter((each) => each !== step).map((each) => without(each, step));
      case 1: {
        const added = { ...step, id: 'added', type: 'manual', config: {} } as Step;
        return steps.flatMap((each) => (each === step ? [{ ...each, next: ['added'] }, added] : [each]));
      }
      case 2:
        return replaced({ ...step, next: [...new Set([...step.next, other.id])] });
      case 3:
        return replaced({ ...step, next: step.next.filter((_, place) => place !== to % (step.next.length || 1)) });
      case 4:
        return replaced({ ...step, type: STEP_TYPES[to % STEP_TYPES.length], config: {} } as Step);
      case 5:
        return replaced(
          step.type === 'approval'
            ? { ...step, config: { ...step.config, minimumApprovers: 1 + (to % 3), separateFrom: flag } }
            : step.type === 'manual'
              ? { ...step, config: { ...step.config, requiresApproval: flag } }
              : step.type === 'condition'
                ? { ...step, config: flag ? { trueNext: step.next[0] ?? '' } : { falseNext: step.next[0] ?? '' } }
                : step,
        );
      case 6:
        return replaced({ ...step, sla: flag ? '1h' : '3 days' });
      case 7: {
        // The rows in a different order; without `flag`, each step leads to the next row.
        const order = steps.filter((each) => each !== step);
        order.splice(to % steps.length, 0, step);
        return flag
          ? order
          : order.map((each, place) => ({ ...each, next: order.slice(place + 1, place + 2).map(idOf) }));
      }
      default:
        // The step becomes a copy of another one, but keeps its id, title and links.
        return steps.map((each) => ({
          ...(each === step ? { ...other, id: step.id, title: step.title, next: step.next } : each),
        }));
    }
  })();
  const isRunnable = changed.length > 0 && checkGraph(changed).length === 0;
  return isRunnable ? changed : steps;
}

const idOf = ({ id }: Step): string => id;

function without(step: Step, gone: Step): Step {
  const next = [...new Set(step.next.flatMap((id) => (id === gone.id ? gone.next : [id])))];
  const config = Object.fromEntries(Object.entries(step.config).filter(([, value]) => value !== gone.id));
  return { ...step, next, config };
}

const pair: fc.Arbitrary<[Step[], Step[]]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(workflowOf({ maxSteps: 8 }), fc.array(edit, { minLength: 1, maxLength: 3 }))
      .map(([steps, edits]): [Step[], Step[]] => [steps, edits.reduce(edited, steps)]),
  },
  { weight: 1, arbitrary: fc.tuple(workflowOf({ maxSteps: 6 }), workflowOf({ maxSteps: 6 })) },
);

/**
 * Returns the facts that only one of two runs has, after the first command that makes them differ; empty if they never
 * differ. If only one run refuses the command, or both for different reasons, returns an invented fact about its step.
 */
function firstDifference(before: Step[], after: Step[], intendedCommands: readonly IntendedCommand[]): RunFact[] {
  const [one, other] = [new Scenario(before), new Scenario(after)];
  const differing = (a: readonly RunFact[], b: readonly RunFact[]): RunFact[] => [
    ...a.filter((fact) => !b.some((each) => sameJson(fact, each))),
    ...b.filter((fact) => !a.some((each) => sameJson(fact, each))),
  ];
  const atStart = differing(one.facts, other.facts);
  if (atStart.length > 0) return atStart;
  for (const intended of intendedCommands) {
    // Half of the commands advance the run, because random sequences rarely get far.
    const [active] = currentStepIds({ steps: before }, one.state);
    const command =
      intended.pick % 2 === 0 && active !== undefined
        ? onwardCommand(before, one.state, active, stepStateOf(one.state, active)?.activation ?? 0, intended.value)
        : commandOf(before, one.state, intended);
    const [seenOne, seenOther] = [one.facts.length, other.facts.length];
    const [a, b] = [one.try(command, intended.who), other.try(command, intended.who)];
    // The facts of one command are compared as a set, because steps that are reset together are in row order.
    const facts = differing(one.facts.slice(seenOne), other.facts.slice(seenOther));
    if (facts.length > 0) return facts;
    if (refusalOf(a) !== refusalOf(b)) {
      const stepId = 'stepId' in command ? command.stepId : '';
      return [
        { type: 'step_retried', stepId, activation: 0, at: 0, by: { id: '', name: '', email: '', kind: 'user' } },
      ];
    }
  }
  return [];
}

/** Returns the code of a refusal; null if there is none. The person or step that it names depends on row order. */
const refusalOf = (decision: ReturnType<Scenario['try']>): string | null =>
  decision.ok ? null : decision.refusal.code;

/** Returns the lines of the review page by step id. The lines name other steps by their titles. */
function reviewLines(before: Step[], after: Step[]): Map<string, string[]> {
  const nameOf = nameSteps([...before, ...after]);
  return new Map(
    diffSteps(before, after).detailed.map((entry) => [
      entry.id,
      entry.type === 'modified'
        ? fieldChanges(entry, nameOf).map((line) => {
            expect(line.before, `${entry.id} ${line.label}`).not.toBe(line.after);
            return `${line.label}: ${line.before} → ${line.after}`;
          })
        : fieldValues(entry, nameOf).map(({ label, text }) => `${label}: ${text}`),
    ]),
  );
}

it('if two contents behave differently, the review has a line of an affected step, or one that names it', () => {
  let differing = 0;
  fc.assert(
    fc.property(
      pair,
      fc.array(intendedCommand, { minLength: 15, maxLength: 40 }),
      ([before, after], intendedCommands) => {
        const facts = firstDifference(before, after, intendedCommands);
        if (facts.length === 0) return;
        differing++;
        const lines = reviewLines(before, after);
        for (const [id, ofStep] of lines) expect(ofStep, id).not.toEqual([]);
        expect(lines.size).toBeGreaterThan(0);
        const stepIds = facts.flatMap((fact) => ('stepId' in fact && fact.stepId !== null ? [fact.stepId] : []));
        if (stepIds.length === 0) return;
        // Titles are the ids in upper case, except the title of an added step.
        const named = [...lines.values()].flat().join('\n');
        const isShown = (id: string) => lines.has(id) || new RegExp(`\\b${id.toUpperCase()}\\b`).test(named);
        expect(stepIds.some(isShown), `${stepIds.join(' ')} in\n${named}`).toBe(true);
      },
    ),
    { numRuns: 1000 },
  );
  // Ensures that enough of the pairs differ.
  expect(differing).toBeGreaterThan(400);
});
