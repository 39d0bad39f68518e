import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completeFile } from './complete-file.ts';
import { anyContent } from './content.arbitrary.ts';

const numbered = () => {
  let made = 0;
  return () => `made-${(made += 1)}`;
};

describe('a JSON file', () => {
  it('needs only steps and gets defaults for everything else', () => {
    expect(completeFile({ steps: [{}, { id: 'own', title: 'Pay' }, { id: null }] }, numbered())).toEqual({
      steps: [
        { id: 'made-1', title: 'Step 1', assignee: 'Unassigned', sla: '1 day', description: 'Task description...' },
        { id: 'own', title: 'Pay', assignee: 'Unassigned', sla: '1 day', description: 'Task description...' },
        { id: 'made-2', title: 'Step 3', assignee: 'Unassigned', sla: '1 day', description: 'Task description...' },
      ],
    });
  });

  it.each([
    [
      { title: 'T', name: 'N', description: 'D', instructions: 'I' },
      { title: 'T', description: 'D' },
    ],
    [
      { name: 'N', instructions: 'I' },
      { title: 'N', description: 'I' },
    ],
  ])('may use other names for the fields: %j', (written, expected) => {
    const step = { id: 'a', assignee: 'auto', sla: '2h' };
    for (const file of [{ ...written }, { metadata: written }]) {
      expect(completeFile({ ...file, steps: [{ ...step, ...written }] }, numbered())).toEqual({
        metadata: expected,
        steps: [{ ...step, ...expected }],
      });
    }
  });

  it('gets no metadata if it has no title', () => {
    const none = { steps: [] };
    expect(completeFile({ metadata: { description: 'Alone' }, steps: [] }, numbered())).toEqual(none);
    expect(completeFile({ description: 'Alone', steps: [] }, numbered())).toEqual(none);
  });

  it('keeps empty texts, and values of the wrong shape so that the schema refuses them', () => {
    const file = { metadata: [1], steps: [7, null, { id: '', title: 5, assignee: '', sla: '', description: '' }] };
    expect(completeFile(file, numbered())).toEqual(file);
    for (const other of [null, 5, 'text', [], { steps: 'none' }])
      expect(completeFile(other, numbered())).toEqual(other);
  });

  it('stays unchanged if it is complete', () => {
    fc.assert(
      fc.property(anyContent, (whole) => {
        expect(completeFile(whole, numbered())).toEqual(whole);
      }),
    );
  });
});
