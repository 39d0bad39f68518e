import { contentHash } from '@stet/domain/workflows';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storableContent } from '../../testing/workflow-content.ts';
import { MAX_PARTS } from './outline.ts';
import { readWorkflowFile } from './read-workflow-file.ts';
import { writeWorkflowFile } from './write-workflow-file.ts';

const SCHEMA = 'https://stet.example/api/schemas/workflow.json';

describe('a workflow file', () => {
  it.each(['yaml', 'json'] as const)('preserves the content hash of any content in %s', async (format) => {
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
  const manyNames = Array.from({ length: 22_000 }, (_, n) => `k${n}: 1`).join('\n');
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
      'A choice field needs at least one option',
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
    ['yaml', '\n'.repeat(1_000_000), MAX_PARTS + 1, 'too many elements'],
    // Comparing all pairs of these names would take too long.
    ['yaml', `${manyNames}\nk5: 1\n`, 22_001, 'unique'],
    ['yaml', `{${manyNames.replaceAll('\n', ', ')}}`, 1, 'Invalid workflow format'],
    ['yaml', '?\n'.repeat(80_000), 2, 'unique'],
    ['yaml', '---\n'.repeat(80_000), 2, 'one document'],
    ['yaml', '? [a]\n: 1\n', 1, 'must be text'],
    ['yaml', 'steps:\n  - id: *a\n', 2, 'Aliases'],
    ['yaml', wide, 2, '1000'],
    ['json', '{"steps": [}', 1, 'JSON'],
    ['json', '{"metadata": {"title": "x"}}', 1, 'Invalid workflow format'],
    ['json', '{\n "steps": [{"id": "a", "title": "b"}],\n}', 3, 'JSON'],
    ['json', '{\n "steps": [\n  {"id": "a", "title": "b"},\n ]\n}', 4, 'JSON'],
    ['json', '{\n "steps": [\n  {"id": "a" "title": "b"}\n ]\n}', 3, 'JSON'],
    ['json', '{\n "steps": [\n  {"id": "a", "title": "b\n"}\n ]\n}', 3, 'JSON'],
    ['json', '{\n "steps": [\n  {"id": "\\x"}\n ]\n}', 3, 'JSON'],
    ['json', '{\n "steps": [\n  {id: "a"}\n ]\n}', 3, 'JSON'],
    ['json', '{"steps": []}\n\n}', 3, 'JSON'],
    ['json', '{"steps":\n [01]}', 2, 'JSON'],
    ['json', '', 1, 'JSON'],
    ['json', '{"steps": [\n {"id": "a", "title": "x",\n "title": "y"}]}', 3, 'twice'],
    ['json', '{"steps": [\n {"id": "a", "title": "x",\n "\\u0074itle": "y"}]}', 3, 'twice'],
    ['json', '{"steps": [\n {"id": "a",\n "title": 5}]}', 3, 'title'],
    ['json', `{"steps":\n [${'1,'.repeat(100_000)}1]}`, 2, '1000'],
    ['json', `[${'1,'.repeat(500_000)}1]`, 1, 'too many elements'],
    ['json', `{"steps": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 1, 'nested too deeply'],
    ['yaml', 'steps: [{id: a, title: b}]\n---\nsteps: []\n', 2, 'one document'],
    ['yaml', 'steps:\n  - id: a\n    title: "\\0"\n', 3, 'not valid text'],
    ['json', '{"steps": [{"id": "a",\n "title": "\\ud800"}]}', 2, 'not valid text'],
    ['json', ' '.repeat(1024 * 1024 + 1), null, '1 MiB'],
  ] as const)(
    'is refused with a readable message and the line if it is invalid %s: %#',
    async (format, text, line, words) => {
      const read = await readWorkflowFile(text, format);
      if (read.ok) throw new Error('it was read');
      expect(
        read.problems
          .map(({ problem }) => problem)
          .join(' ')
          .toLowerCase(),
      ).toContain(words.toLowerCase());
      expect(read.problems[0]?.line ?? null).toBe(line);
    },
  );

  it.each([
    ['{"steps": [\n  {"id" 5}]}', 2, 9],
    ['{"steps": [\n  {"id": "a",\n   "title": "b",}]}', 3, 17],
    ['{"steps": [\n  {"id": "a", "title": tru}]}', 2, 24],
  ])('is refused with the line and column if its JSON is invalid: %#', async (text, line, column) => {
    const read = await readWorkflowFile(text, 'json');
    expect(read).toMatchObject({ ok: false, problems: [{ line, column, problem: 'This is not valid JSON' }] });
  });

  it('is refused as invalid JSON if and only if JSON.parse refuses it', async () => {
    const cut = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '\n', '0', '\t'));
    await fc.assert(
      fc.asyncProperty(cut, async ([json, place, mark]) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + mark + json.slice(at);
        const read = await readWorkflowFile(text, 'json');
        const problem = read.ok ? null : read.problems[0]?.problem;
        // A duplicate name may be reported before a later mistake.
        if (parses(text)) expect(problem).not.toBe('This is not valid JSON');
        else expect(problem).toMatch(/^This is not valid JSON$|twice/);
      }),
      { numRuns: 500 },
    );
  });

  it('can have many fields in braces on one line', async () => {
    const steps = Array.from({ length: 12 }, (_, n) => `{id: s${n}, title: t, sla: 1 day, assignee: a}`);
    const read = await readWorkflowFile(`steps: [${steps.join(', ')}]\n`, 'yaml');
    expect(read.ok).toBe(true);
  });

  it('needs only steps in JSON, and unknown fields are ignored and reported', async () => {
    const text = JSON.stringify({
      name: 'Vendors',
      status: 'live',
      metadata: null,
      steps: [
        { colour: 'red', config: { tint: 1, assignedRole: 'editor' } },
        { name: 'Sign', colour: 'blue', type: 'approval', config: {}, next: [] },
      ],
    });
    const read = await readWorkflowFile(text, 'json');
    if (!read.ok) throw new Error(JSON.stringify(read));
    expect(read.file.metadata).toEqual({ title: 'Vendors', description: '' });
    const [first, second] = read.file.steps;
    expect(first).toMatchObject({ title: 'Step 1', sla: '1 day', config: { assignedRole: 'editor' } });
    expect(second).toMatchObject({ title: 'Sign', type: 'approval', assignee: 'Unassigned' });
    expect(new Set(read.file.steps.map(({ id }) => id)).size).toBe(2);
    expect(read.leftOut.map(({ what, name }) => `${name}: ${what}`)).toEqual([
      'status: field in the file',
      'config.tint: field in step 1',
      'colour: field in steps 1, 2',
    ]);
  });

  it('reports at most a hundred ignored fields by name', async () => {
    const extra = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`extra${n}`, n]));
    const read = await readWorkflowFile(JSON.stringify({ steps: [{}], ...extra }), 'json');
    if (!read.ok) throw new Error(JSON.stringify(read));
    expect(read.leftOut).toHaveLength(101);
    expect(read.leftOut.at(-1)?.what).toBe('30 more fields');
  });

  it('can omit the metadata and use an older type name; steps without `next` become a sequence', async () => {
    const read = await readWorkflowFile('steps:\n  - {id: a, title: A}\n  - {id: b, title: B, type: review}\n', 'yaml');
    if (!read.ok) throw new Error(JSON.stringify(read));
    expect(read.file).toMatchObject({ key: null, metadata: null });
    expect(read.file.steps.map(({ id, type, next }) => ({ id, type, next }))).toEqual([
      { id: 'a', type: 'manual', next: ['b'] },
      { id: 'b', type: 'approval', next: [] },
    ]);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
