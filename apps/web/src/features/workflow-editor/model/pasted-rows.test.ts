import { newStep } from '@stet/domain/workflows';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aDraft, STEPS } from '../testing/workflows.ts';
import { parseCells, pastedRows, pastedSentence, pasteRows, roomFor } from './pasted-rows.ts';

const content = { metadata: aDraft().metadata, steps: [...STEPS] };

describe('parsing cells from the clipboard', () => {
  test.each([
    ['', []],
    ['one', [['one']]],
    [
      'a\tb\nc\td\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a\r\nb\r\n', [['a'], ['b']]],
    ['a\t"two\nlines"\tb', [['a', 'two\nlines', 'b']]],
    ['"say ""yes"""\tb', [['say "yes"', 'b']]],
    ['"tab\tinside"\n', [['tab\tinside']]],
    ['5" pipe\tx', [['5" pipe', 'x']]],
    ['"unclosed\tx\ny', [['"unclosed', 'x'], ['y']]],
    ['"quoted" start\tx', [['"quoted" start', 'x']]],
    [
      '\t\n\t',
      [
        ['', ''],
        ['', ''],
      ],
    ],
  ])('reads %j as %j', (text, rows) => {
    expect(parseCells(text)).toEqual(rows);
  });

  test('reads back any cells that were quoted the way spreadsheets quote them', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'é', '😀') });
    const quote = (text: string) => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        expect(parseCells(rows.map((row) => row.map(quote).join('\t')).join('\r\n'))).toEqual(rows);
      }),
    );
  });
});

describe('pasted rows', () => {
  test('start at the selected cell and are cut off at the last column', () => {
    expect(pastedRows([['a@b.example', '1h', 'Do', 'past']], 'assignee')).toEqual([
      { assignee: 'a@b.example', sla: '1h', task: 'Do' },
    ]);
  });

  test('are assigned to the columns that their headings name', () => {
    const cells = [
      ['#', 'Task', 'Step'],
      ['1', 'Two\nlines', 'Two\nlines '],
    ];
    expect(pastedRows(cells, 'sla')).toEqual([{ task: 'Two\nlines', step: 'Two lines' }]);
  });

  test('fill existing rows, then become new steps of one chain', () => {
    const rows = [
      { step: 'Third', sla: '' },
      { step: 'Fourth', assignee: '' },
    ];
    const pasted = pasteRows(content, 2, rows, [newStep('s4')]);
    expect(pasted.steps.map(({ title, sla, assignee, next }) => ({ title, sla, assignee, next })).slice(2)).toEqual([
      { title: 'Third', sla: '', assignee: 'auto', next: ['s4'] },
      { title: 'Fourth', sla: newStep('x').sla, assignee: 'Unassigned', next: [] },
    ]);
    expect(pasted.steps[2]?.type).toBe('notification');
    expect(pasted.steps[0]).toBe(content.steps[0]);
  });

  test('change nothing if they equal the existing content', () => {
    expect(pasteRows(content, 0, [{ step: STEPS[0]?.title ?? '' }], [])).toBe(content);
  });

  test('are omitted and counted beyond the maximum number of steps', () => {
    expect(roomFor(10, 2, 3)).toEqual({ changed: 1, added: 9, leftOut: 0 });
    expect(roomFor(10, 997, 998)).toEqual({ changed: 1, added: 2, leftOut: 7 });
    expect(pastedSentence({ changed: 1, added: 2, leftOut: 7 })).toBe(
      'Pasted: 1 row filled, 2 steps added, 7 left out, because a workflow has at most 1000 steps. You can undo it.',
    );
  });
});
