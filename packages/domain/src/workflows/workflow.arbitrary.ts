import fc from 'fast-check';
import { type InputField, STEP_TYPES, type Step } from '../steps/index.ts';
import { graphOf } from './graph.ts';

/** Test support: returns a step with only the given properties set. */
export function stepOf(step: Partial<Step> & { id: string }): Step {
  const common = { title: step.id.toUpperCase(), description: '', assignee: 'Unassigned', sla: '' };
  return { ...common, type: 'manual', config: {}, next: [], ...step };
}

/** Test support: returns steps by their links, such as `{ a: 'b c', b: 'd', c: 'd', d: '' }`. */
export function stepsOf(links: Record<string, string>, details: Record<string, Partial<Step>> = {}): Step[] {
  return Object.entries(links).map(([id, next]) =>
    stepOf({ ...details[id], id, next: next.split(' ').filter((target) => target !== '') }),
  );
}

/** Test support: returns the links of steps in the notation of `stepsOf`. */
export function linksOf(steps: readonly Step[]): Record<string, string> {
  return Object.fromEntries(steps.map((step) => [step.id, step.next.join(' ')]));
}

/** Test support: the form field of manual steps in `workflowOf`. */
export const AMOUNT: InputField = { id: 'amount', label: 'Amount', kind: 'number', required: true };

const row = fc.record({
  type: fc.constantFrom(...STEP_TYPES, 'manual' as const),
  jumps: fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 4 })), { maxLength: 3 }),
  pick: fc.nat(50),
  otherPick: fc.nat(50),
  flag: fc.boolean(),
  otherFlag: fc.boolean(),
  approvers: fc.integer({ min: 1, max: 3 }),
  sla: fc.constantFrom('', '1h', '30m', '2 days', 'whenever'),
});

/** Test support: any valid workflow, with forks, joins, several roots and ends, decisions and rejections. */
export function workflowOf({ maxSteps }: { maxSteps: number }): fc.Arbitrary<Step[]> {
  return fc.array(row, { minLength: 1, maxLength: maxSteps }).map((rows) => {
    const targets = rows.map(({ jumps }, at) =>
      [...new Set(jumps.map((jump) => at + jump))].filter((to) => to < rows.length),
    );
    const plain = rows.map(({ sla }, at) =>
      stepOf({ id: `s${at}`, sla, next: (targets[at] ?? []).map((to) => `s${to}`) }),
    );
    const graph = graphOf(plain);
    return plain.map((step, at): Step => {
      const { type, pick, otherPick, flag, otherFlag, approvers } = rows[at] ?? { type: 'manual' };
      if (type === 'condition') {
        const oneOf = (n = 0) => step.next[n % (step.next.length + 1)];
        const [trueNext, falseNext] = [oneOf(pick), oneOf(otherPick)];
        return { ...step, type, config: { ...(trueNext && { trueNext }), ...(falseNext && { falseNext }) } };
      }
      if (type === 'approval') {
        const before = ancestors(step.id, (id) => graph.previous(id));
        const onReject = flag ? before[(pick ?? 0) % (before.length || 1)] : undefined;
        const rules = { minimumApprovers: approvers ?? 1, separateFrom: otherFlag ?? false };
        return { ...step, type, config: { ...rules, ...(onReject && { onReject }) } };
      }
      if (type === 'manual') {
        const fields = otherFlag ? { fields: [AMOUNT] } : {};
        const skip = pick === 0 ? { skip: 'never' as const } : {};
        return { ...step, type, config: { requiresApproval: flag ?? false, ...fields, ...skip } };
      }
      return { ...step, type, config: {} };
    });
  });
}

function ancestors(id: string, previous: (id: string) => readonly string[]): string[] {
  const found = new Set(previous(id));
  for (const each of found) for (const earlier of previous(each)) found.add(earlier);
  return [...found].toSorted();
}
