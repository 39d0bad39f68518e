import fc from 'fast-check';
import { expect, it } from 'vitest';
import { currentStepIds } from '../runs/display.ts';
import type { RunFact } from '../runs/facts.ts';
import { Scenario } from '../runs/run.scenario.ts';
import { commandOf, onwardCommand, wish, type Wish } from '../runs/wish.arbitrary.ts';
import { stepStateOf } from '../runs/state.ts';
import { sameJson } from '../workflows/canonical-json.ts';
import { checkGraph } from '../workflows/graph-problems.ts';
import { STEP_TYPES, type Step } from '../workflows/step.ts';
import { workflowOf } from '../workflows/workflow.arbitrary.ts';
import { fieldChanges, fieldValues } from './change-words.ts';
import { diffSteps } from './diff.ts';
import { nameSteps } from './name-steps.ts';

type Edit = { kind: number; at: number; to: number; flag: boolean };
const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.nat(8),
  at: fc.nat(20),
  to: fc.nat(20),
  flag: fc.boolean(),
});

/** The steps with one thing changed that a person can change; the same if no run could be made of the result. */
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
        // The rows in another order, with the links of a chain that follow them.
        const order = steps.filter((each) => each !== step);
        order.splice(to % steps.length, 0, step);
        return flag
          ? order
          : order.map((each, place) => ({ ...each, next: order.slice(place + 1, place + 2).map(idOf) }));
      }
      default:
        // Two steps change places in the graph, under the same titles.
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

/** Facts that one of two runs has and the other lacks, at the first command after which they differ; none if none does. */
function firstDifference(before: Step[], after: Step[], wishes: readonly Wish[]): RunFact[] {
  const [one, other] = [new Scenario(before), new Scenario(after)];
  const differing = (a: readonly RunFact[], b: readonly RunFact[]): RunFact[] => [
    ...a.filter((fact) => !b.some((each) => sameJson(fact, each))),
    ...b.filter((fact) => !a.some((each) => sameJson(fact, each))),
  ];
  const atStart = differing(one.facts, other.facts);
  if (atStart.length > 0) return atStart;
  for (const wished of wishes) {
    // Half of the commands carry the run on: sequences of chance alone rarely get far.
    const [active] = currentStepIds({ steps: before }, one.state);
    const command =
      wished.pick % 2 === 0 && active !== undefined
        ? onwardCommand(before, one.state, active, stepStateOf(one.state, active)?.activation ?? 0, wished.value)
        : commandOf(before, one.state, wished);
    const [seenOne, seenOther] = [one.facts.length, other.facts.length];
    const [a, b] = [one.try(command, wished.who), other.try(command, wished.who)];
    const facts = differing(one.facts.slice(seenOne), other.facts.slice(seenOther));
    if (facts.length > 0) return facts;
    // Facts of one command are compared as a set: several steps that are undone at once have the order of the rows.
    const isRefused = !a.ok || !b.ok;
    if (isRefused && !sameJson(a, b)) {
      const stepId = 'stepId' in command ? command.stepId : '';
      return [
        { type: 'step_retried', stepId, activation: 0, at: 0, by: { id: '', name: '', email: '', kind: 'user' } },
      ];
    }
  }
  return [];
}

/** The lines of the review page by the step under which they stand; titles as the page has them, ids for what is named. */
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

it('every difference in what two contents do has a line, at the step where it shows or beside it', () => {
  let differing = 0;
  fc.assert(
    fc.property(pair, fc.array(wish, { minLength: 15, maxLength: 40 }), ([before, after], wishes) => {
      const facts = firstDifference(before, after, wishes);
      if (facts.length === 0) return;
      differing++;
      const lines = reviewLines(before, after);
      for (const [id, ofStep] of lines) expect(ofStep, id).not.toEqual([]);
      expect(lines.size).toBeGreaterThan(0);
      const stepIds = facts.flatMap((fact) => ('stepId' in fact && fact.stepId !== null ? [fact.stepId] : []));
      if (stepIds.length === 0) return;
      // Titles are the ids in upper case here.
      const named = [...lines.values()].flat().join('\n');
      const isShown = (id: string) => lines.has(id) || new RegExp(`\\b${id.toUpperCase()}\\b`).test(named);
      expect(stepIds.some(isShown), `${stepIds.join(' ')} in\n${named}`).toBe(true);
    }),
    { numRuns: 1000 },
  );
  // The pairs are of a kind that shows something.
  expect(differing).toBeGreaterThan(400);
});
