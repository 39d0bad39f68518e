import { contentHash } from '@stet/domain/workflows';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storableContent } from '../../testing/workflow-content.ts';
import { readWorkflowFile } from './read-workflow-file.ts';
import { writeWorkflowFile } from './write-workflow-file.ts';

const SCHEMA = 'https://stet.example/api/schemas/workflow.json';

describe('a workflow file', () => {
  it.each(['yaml', 'json'] as const)('keeps every content to the hash as %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(storableContent, async (content) => {
        const read = await readWorkflowFile(writeWorkflowFile('some-key', content, format, SCHEMA), format);
        if (!read.ok || !read.file.metadata) throw new Error(JSON.stringify(read));
        expect(contentHash({ metadata: read.file.metadata, steps: read.file.steps })).toBe(contentHash(content));
        expect(read.file.key).toBe('some-key');
      }),
      { numRuns: 150 },
    );
  });

  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nsteps: [*b,*b,*b,*b]\n`;
  const wide = `steps:\n${Array.from({ length: 1001 }, (_, n) => `  - {id: s${n}, title: t}`).join('\n')}\n`;
  it.each([
    ['yaml', 'steps:\n  - id: a\n    title: [unclosed\n', 4, 'sequence'],
    ['yaml', 'steps:\n  - id: a\n    title: x\n    colour: red\n', 2, 'colour'],
    ['yaml', 'steps:\n  - id: a\n    title: 5\n', 3, 'title'],
    ['yaml', 'steps:\n  - id: a\n    type: dance\n    title: x\n', 3, 'type'],
    ['yaml', 'steps:\n  - title: x\n', 2, 'id is missing'],
    [
      'yaml',
      'steps:\n  - id: a\n    title: x\n    config:\n      fields:\n        - {id: tier, label: Tier, kind: choice}\n',
      6,
      'A choice needs at least one option',
    ],
    ['yaml', 'steps: []\n', 1, 'at least one step'],
    ['yaml', 'metadata:\n  title: x\n', 1, 'Invalid workflow format'],
    ['yaml', 'just text', 1, 'Invalid'],
    ['yaml', '', null, 'Invalid'],
    ['yaml', bomb, 1, 'Anchors'],
    ['yaml', 'steps:\n  - id: !!js/function x\n    title: y\n', 2, 'tag'],
    ['yaml', 'steps: 1\nsteps: 2\n', 2, 'unique'],
    ['yaml', `steps: ${'['.repeat(20_000)}`, 1, 'nested too deeply'],
    ['yaml', '- '.repeat(20_000), 1, 'nested too deeply'],
    [
      'yaml',
      `steps:\n${Array.from({ length: 60 }, (_, n) => `${' '.repeat(n)}a:`).join('\n')}`,
      34,
      'nested too deeply',
    ],
    ['yaml', '\n'.repeat(1_000_000), 200_001, 'too many parts'],
    ['yaml', wide, 2, '1000'],
    ['json', '{"steps": [}', 1, 'JSON'],
    ['json', '{"metadata": {"title": "x"}}', 1, 'Invalid workflow format'],
    ['json', '{\n "steps": [{"id": "a", "title": "b"}],\n}', 3, 'JSON'],
    ['json', `{"steps": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 1, 'nested too deeply'],
    ['yaml', 'steps: [{id: a, title: b}]\n---\nsteps: []\n', 2, 'one document'],
    ['yaml', 'steps:\n  - id: a\n    title: "\\0"\n', 3, 'not text'],
    ['json', '{"steps": [{"id": "a",\n "title": "\\ud800"}]}', 2, 'not text'],
    ['json', ' '.repeat(1024 * 1024 + 1), null, '1 MiB'],
  ] as const)('that is not right as %s is refused in words, with its place: %#', async (format, text, line, words) => {
    const read = await readWorkflowFile(text, format);
    if (read.ok) throw new Error('it was read');
    expect(
      read.problems
        .map(({ problem }) => problem)
        .join(' ')
        .toLowerCase(),
    ).toContain(words.toLowerCase());
    expect(read.problems[0]?.line ?? null).toBe(line);
  });

  it('reads steps without links as a line, an older type name, and a file without metadata', async () => {
    const read = await readWorkflowFile('steps:\n  - {id: a, title: A}\n  - {id: b, title: B, type: review}\n', 'yaml');
    if (!read.ok) throw new Error(JSON.stringify(read));
    expect(read.file).toMatchObject({ key: null, metadata: null });
    expect(read.file.steps.map(({ id, type, next }) => ({ id, type, next }))).toEqual([
      { id: 'a', type: 'manual', next: ['b'] },
      { id: 'b', type: 'approval', next: [] },
    ]);
  });
});
