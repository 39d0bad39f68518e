import fc from 'fast-check';
import { anyContent } from '../workflows/content.arbitrary.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import type { Answer, MergeSides } from './resolve-conflicts.ts';

/** Test support: returns a workflow with these steps as a chain. */
export function chain(...steps: Step[]): WorkflowContent {
  return {
    metadata: { title: 'Vendors', description: '' },
    steps: steps.map((each, index) => ({ ...each, next: steps.slice(index + 1, index + 2).map(({ id }) => id) })),
  };
}

/** Test support: the answer that takes the live side. */
export const LIVE = { take: 'live' } as const;
export const DRAFT = { take: 'draft' } as const;

/** Test support: any two sides of a merge, and their base. */
export const sides: fc.Arbitrary<MergeSides> = fc.record({
  base: fc.oneof({ weight: 6, arbitrary: anyContent }, fc.constant(null)),
  live: anyContent,
  draft: anyContent,
});
/** Test support: any answer to a question. */
export const anAnswer: fc.Arbitrary<Answer> = fc.constantFrom<Answer>(LIVE, DRAFT, { value: 'Own' });
