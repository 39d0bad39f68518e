import fc from 'fast-check';
import { STEP_TYPES, type Step } from '../steps/index.ts';
import type { WorkflowContent } from './content.ts';

const word = fc.constantFrom('', 'check', 'Check the ledger', 'reviewer', '1 day', 'Ω 😀');
const ids = ['a', 'b', 'c', 'd', 'e', 'f'] as const;

const texts = fc.record({ title: word, description: word, assignee: word, sla: word });
const kind = fc.oneof(
  fc.constant({ type: 'manual' as const, config: {} }),
  fc.record({ type: fc.constant('manual' as const), config: fc.record({ assignedRole: word }) }),
  fc.record({
    type: fc.constant('approval' as const),
    config: fc.record({ minimumApprovers: fc.integer({ min: 1, max: 3 }) }),
  }),
  fc.record({ type: fc.constantFrom(...STEP_TYPES), config: fc.constant({}) }),
);

/**
 * Test support: contents with few ids and few texts, so that two of them overlap. `next` names steps of the content,
 * usually later ones, and may or may not be a plain chain.
 */
export const anyContent: fc.Arbitrary<WorkflowContent> = fc
  .tuple(
    fc.record({ title: word, description: word }),
    fc.shuffledSubarray([...ids]),
    fc.array(fc.tuple(texts, kind, fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.subarray([...ids]))), {
      minLength: ids.length,
      maxLength: ids.length,
    }),
  )
  .map(([metadata, order, details]) => ({
    metadata,
    steps: order.flatMap((id, place): Step[] => {
      const detail = details[place];
      if (detail === undefined) return [];
      const [text, { type, config }, targets] = detail;
      const following = order.slice(place + 1, place + 2);
      const next = targets === null ? following : targets.filter((target) => order.includes(target));
      return [{ id, ...text, type, config, next } as Step];
    }),
  }));

/** Test support: content, and an edited copy that differs from it in a few places. */
export const contentAndEdit: fc.Arbitrary<[WorkflowContent, WorkflowContent]> = fc
  .tuple(
    anyContent,
    fc.array(fc.tuple(fc.nat(5), fc.constantFrom('title', 'sla', 'description'), word), { maxLength: 3 }),
  )
  .map(([content, edits]) => {
    const steps = [...content.steps];
    for (const [place, field, text] of edits) {
      const step = steps[place];
      if (step !== undefined) steps[place] = { ...step, [field]: text };
    }
    return [content, { ...content, steps }];
  });
