import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent } from './content.arbitrary.ts';
import { contentHash, sameContent } from './content-hash.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from './content.ts';

const step: Step = {
  id: 'step-1',
  type: 'manual',
  title: 'First',
  description: 'Do it.',
  assignee: 'Unassigned',
  sla: '1 day',
  config: { assignedRole: 'editor' },
  next: [],
};
const content: WorkflowContent = { metadata: { title: 'A', description: 'Ω' }, steps: [step] };

describe('a content hash', () => {
  it('is the SHA-256 of the canonical JSON, as computed by another implementation', () => {
    expect(contentHash(content)).toBe('cf2dddeb65dbd9c49b8e33c1d02c95764fefdcc5c4f3d2ab015939e798e456c6');
  });

  it('includes who may skip a step only if the content says so', () => {
    const withSkip = (skip: object): WorkflowContent => ({
      ...content,
      steps: [{ ...step, config: { ...step.config, ...skip } }],
    });
    expect(contentHash(withSkip({}))).toBe(contentHash(content));
    expect(contentHash(withSkip({ skip: 'never' }))).not.toBe(contentHash(content));
  });

  it('doesn’t depend on key order or other properties', () => {
    const reordered = {
      steps: [Object.fromEntries(Object.entries(step).reverse()) as Step],
      metadata: content.metadata,
      key: 'a',
    };
    expect(contentHash(reordered)).toBe(contentHash(content));
    expect(sameContent(reordered, content)).toBe(true);
  });

  it.each<[string, WorkflowContent]>([
    ['the title', { ...content, metadata: { ...content.metadata, title: 'B' } }],
    ['the description', { ...content, metadata: { ...content.metadata, description: '' } }],
    ['the steps, if none is left', { ...content, steps: [] }],
    ['the number of steps', { ...content, steps: [step, { ...step, id: 'step-2' }] }],
    ['the id of a step', { ...content, steps: [{ ...step, id: 'step-2' }] }],
    ['the type', { ...content, steps: [{ ...step, type: 'approval', config: { assignedRole: 'editor' } }] }],
    ['a space in the title of a step', { ...content, steps: [{ ...step, title: 'First ' }] }],
    ['the task', { ...content, steps: [{ ...step, description: 'Do it' }] }],
    ['the assignee', { ...content, steps: [{ ...step, assignee: 'unassigned' }] }],
    ['the SLA', { ...content, steps: [{ ...step, sla: '24h' }] }],
    ['a setting', { ...content, steps: [{ ...step, config: {} }] }],
    ['the links', { ...content, steps: [{ ...step, next: ['step-1'] }] }],
  ])('changes if the content differs in %s', (_, other) => {
    expect(contentHash(other)).not.toBe(contentHash(content));
    expect(sameContent(other, content)).toBe(false);
  });

  it('is the same for two contents if and only if they are equal', () => {
    fc.assert(
      fc.property(anyContent, anyContent, (a, b) => {
        expect(contentHash(a) === contentHash(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
        expect(contentHash(JSON.parse(JSON.stringify(a)) as WorkflowContent)).toBe(contentHash(a));
      }),
    );
  });
});
