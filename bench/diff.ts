/**
 * Measures comparisons of versions with 1 000 steps: the diff of a review, a three-way merge, and the resolution of its
 * conflicts. In each, a tenth of the steps is edited, and a few are added, removed and moved. The median of the diff
 * must be below 20 ms.
 * npx tsx bench/diff.ts [--rounds 200]
 */
import { parseArgs } from 'node:util';
import { diffContent, mergeContent, resolveConflicts } from '../packages/domain/src/drafts/index.ts';
import type { Step } from '../packages/domain/src/steps/index.ts';
import { linearNext, type WorkflowContent } from '../packages/domain/src/workflows/index.ts';
import { chanceOf } from '../apps/server/src/testing/governance/random.ts';
import { quantile } from './figures.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' } } });
const ROUNDS = Number(values.rounds);
const STEPS = 1000;
const DIFF_LIMIT_MS = 20;
const chance = chanceOf(1);

const stepNamed = (id: string): Step => ({
  id,
  type: 'manual',
  title: `Step ${id}`,
  description: `The work in ${id}, in a sentence or two, with the register and form to use.`,
  assignee: 'editor',
  sla: '1 day',
  config: {},
  next: [],
});
const contentOf = (steps: readonly Step[]): WorkflowContent => ({
  metadata: { title: 'A thousand steps', description: '' },
  steps: linearNext(steps),
});
const base = contentOf(Array.from({ length: STEPS }, (_, n) => stepNamed(`s${n}`)));

/** Returns a realistic edit: every tenth step is changed, and a few are added, removed and moved. */
function editedBy(name: string): WorkflowContent {
  const steps = base.steps.map((step, n) =>
    n % 10 === 0 ? { ...step, title: `${step.title} ${name}`, sla: '4h' } : step,
  );
  for (let n = 0; n < 5; n += 1) {
    steps.splice(chance.below(steps.length), 1);
    steps.splice(chance.below(steps.length), 0, stepNamed(`${name}-${n}`));
    const [moved] = steps.splice(chance.below(steps.length), 1);
    if (moved) steps.splice(chance.below(steps.length), 0, moved);
  }
  return contentOf(steps);
}

function measured(name: string, work: () => unknown): number {
  for (let n = 0; n < 10; n += 1) work();
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  const p99 = quantile(times, 0.99);
  console.log(`${name.padEnd(44)} median ${quantile(times, 0.5).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
  return quantile(times, 0.5);
}

const [live, draft] = [editedBy('live'), editedBy('draft')];
const median = measured('diff of two versions of 1 000 steps', () => diffContent(live, draft));
measured('three-way merge', () => mergeContent(base, live, draft));
const { questions } = resolveConflicts({ base, live, draft }, new Map());
const answers = new Map(questions.map(({ id }) => [id, { take: 'live' } as const]));
measured(`resolving its ${questions.length} conflicts`, () => resolveConflicts({ base, live, draft }, answers));
if (median >= DIFF_LIMIT_MS) process.exitCode = 1;
