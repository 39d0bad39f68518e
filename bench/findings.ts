/**
 * Measures how long the findings of a draft with 1 000 steps take. One step in three is an approval, one in fifteen a
 * condition, and most steps have two next steps. In the draft, every tenth step is weakened, or removed and replaced by
 * a new one. The median must be at most 50 ms, also with another baseline.
 * npx tsx bench/findings.ts [--rounds 100]
 */
import { parseArgs } from 'node:util';
import { classify } from '../packages/domain/src/drafts/index.ts';
import type { Step } from '../packages/domain/src/steps/index.ts';
import type { WorkflowContent } from '../packages/domain/src/workflows/index.ts';
import { chanceOf } from '../apps/server/src/testing/governance/random.ts';
import { quantile } from './figures.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } });
const ROUNDS = Number(values.rounds);
const STEPS = 1000;
const LIMIT_MS = 50;
const chance = chanceOf(1);

const idAt = (n: number): string => `s${n}`;

function stepAt(n: number): Step {
  const next = [n + 1, n + 1 + chance.below(20)].filter((to) => to < STEPS).map(idAt);
  const step = {
    id: idAt(n),
    title: `Step ${n}`,
    description: `The work in step ${n}`,
    assignee: 'reviewer',
    sla: '1 day',
    next: [...new Set(next)],
  };
  if (n % 3 === 0) return { ...step, type: 'approval', config: { minimumApprovers: 2, separateFrom: n % 2 === 0 } };
  if (n % 10 === 1) {
    const [trueNext, falseNext] = step.next;
    const branches = { ...(trueNext && { trueNext }), ...(falseNext && { falseNext }) };
    return { ...step, type: 'condition', config: { condition: 'amount > 1000', ...branches } };
  }
  return {
    ...step,
    type: 'manual',
    config: { fields: [{ id: 'amount', label: 'Amount', kind: 'number', required: true }] },
  };
}

const contentOf = (steps: Step[]): WorkflowContent => ({
  metadata: { title: 'A thousand steps', description: '' },
  steps,
});
const live = contentOf(Array.from({ length: STEPS }, (_, n) => stepAt(n)));

function weakened({ steps }: WorkflowContent): WorkflowContent {
  return contentOf(
    steps.map((step, n): Step => {
      if (n % 10 !== 0) return step;
      if (step.type === 'approval') return { ...step, config: { minimumApprovers: 1 }, next: step.next.slice(0, 1) };
      if (step.type === 'manual')
        return { ...step, id: n % 20 === 0 ? step.id : `new-${n}`, sla: '2 days', config: {} };
      return step;
    }),
  );
}

function measured(name: string, work: () => unknown[]): number {
  for (let n = 0; n < 5; n += 1) work();
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  const [median, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  console.log(`${name.padEnd(44)} median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${work().length} findings`);
  return median;
}

const draft = weakened(live);
const context = { restoredVersion: null };
const median = measured('findings of a draft with 1 000 steps', () => classify([], live, draft, context));
const withBaseline = measured('the same with another baseline', () => classify([draft], live, draft, context));
measured('findings of texts only', () => classify([], live, live, context));
if (Math.max(median, withBaseline) > LIMIT_MS) process.exitCode = 1;
