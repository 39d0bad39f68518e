import { workflowBody } from '@stet/contract/workflow-content';
import { STEP_TYPES, type Step } from '@stet/domain/steps';
import { contentHash, newStep, withListSaveDefaults, type WorkflowContent } from '@stet/domain/workflows';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aDetail, aDraft } from '../testing/workflows.ts';
import { editedContent, openDocument } from './editor-state.ts';
import { sourceFromDraft, sourceFromLive } from './source.ts';

const text = fc.constantFrom('', ' ', 'Check the ledger', 'reviewer', '1 day', '2', 'Step 1', 'Unassigned', 'Ω 😀');
const step = fc.record({
  type: fc.constantFrom(...STEP_TYPES),
  texts: fc.record({ title: text, description: text, assignee: text, sla: text }),
  hasNext: fc.boolean(),
});
// Stored content was validated when it was sent.
const storedContent: fc.Arbitrary<WorkflowContent> = fc
  .tuple(fc.record({ title: fc.constantFrom('T', 'Ω'), description: text }), fc.array(step, { minLength: 1 }))
  .map(([metadata, steps]) => {
    const sent = steps.map(({ type, texts, hasNext }, at): Step => {
      const next = hasNext && at + 1 < steps.length ? [`s${at + 1}`] : [];
      return { ...newStep(`s${at}`, type), ...texts, next };
    });
    const { key: _, ...stored } = workflowBody.parse({ metadata, steps: sent });
    return stored;
  });

test('loading and saving a stored workflow in the editor or the builder keeps its hash', () => {
  fc.assert(
    fc.property(storedContent, (stored) => {
      const hash = contentHash(stored);
      for (const source of [sourceFromLive(aDetail(stored), 7), sourceFromDraft(aDraft(stored))]) {
        const opened = editedContent(openDocument(source.saved, source.edited));
        for (const sent of [opened, withListSaveDefaults(opened, source.saved)])
          expect(contentHash(workflowBody.parse({ key: source.key, ...sent }))).toBe(hash);
      }
    }),
  );
});
