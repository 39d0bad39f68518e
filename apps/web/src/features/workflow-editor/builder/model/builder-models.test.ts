import type { Step } from '@stet/domain/steps';
import { newBuilderStep } from '@stet/domain/workflows';
import { describe, expect, test } from 'vitest';
import { dropIndex } from '../../grid/drop-place.ts';
import { countProblems, firstProblem, stepNotes } from './step-notes.ts';
import { branchWords, descriptionOf, namedSteps, roleOf, shortNames } from './step-words.ts';

const step = (id: string, next: string[] = [], change: object = {}): Step => ({
  ...newBuilderStep(id, 'manual'),
  title: id.toUpperCase(),
  next,
  ...change,
});
const condition = (next: string[], config: object): Step => ({ ...newBuilderStep('q', 'condition'), next, config });
const nameOf = (id: string): string => id.toUpperCase();

describe('the branch column', () => {
  test.each([
    ['the row below', step('a', ['b']), null],
    ['nothing', step('a', []), 'Ends here'],
    ['two steps', step('a', ['b', 'c']), '→ B, C'],
    ['a row further down', step('a', ['c']), '→ C'],
    ['a decision', condition(['b', 'c'], { trueNext: 'b', falseNext: 'c' }), 'Yes → B · No → C'],
    ['a decision with one named branch', condition(['c', 'b'], { trueNext: 'c' }), 'Yes → C · No → B'],
    [
      'a decision and an additional step',
      condition(['b', 'c', 'd'], { trueNext: 'b', falseNext: 'c' }),
      'Yes → B · No → C · Always → D',
    ],
    ['a condition without named branches', condition(['b'], {}), null],
  ])('describes these next steps: %s', (_, of, words) => {
    expect(branchWords(of, step('b'), nameOf)).toBe(words);
  });
  test('is empty for a last row without next steps', () => {
    expect(branchWords(step('a', []), undefined, nameOf)).toBeNull();
  });
});

describe('the notes on a step', () => {
  const texts = (steps: Step[]) =>
    Object.fromEntries([...stepNotes(steps)].map(([id, notes]) => [id, notes.map(({ text }) => text)]));

  test('report a cycle on each of its steps, in addition to steps that can’t be reached', () => {
    const noteTexts = texts([step('a', ['b']), step('b', ['a']), step('c', [])]);
    expect(noteTexts['a']).toEqual(['Loops back to itself: 1 A → 2 B → 1 A', 'Can’t be reached from the first step']);
    expect(noteTexts['b']?.[0]).toBe('Loops back to itself: 1 A → 2 B → 1 A');
    expect(firstProblem([step('x', ['a']), step('a', ['a'])])).toBe('Step 2, A: Loops back to itself: 2 A → 2 A');
  });

  test('treat a missing target as a problem and a second start as a hint', () => {
    const steps = [step('a', ['gone']), step('b', [])];
    expect(texts(steps)).toEqual({
      a: ['Leads to a step that was removed'],
      b: ['No step leads here, so this step starts together with 1 A'],
    });
    expect(countProblems(stepNotes(steps))).toBe(1);
  });

  test('report a condition without an expression, and nothing for a valid workflow', () => {
    expect(texts([condition([], {})])).toEqual({ q: ['No condition yet. A run would fail here'] });
    expect(stepNotes([step('a', ['b']), step('b')]).size).toBe(0);
    expect(firstProblem([step('a', ['b']), step('b')])).toBeNull();
  });
});

test('rows show the assignee, the condition (in words, if there are any), and a placeholder for a missing name', () => {
  expect(namedSteps([step('a', [], { title: ' ' })])).toEqual([{ id: 'a', name: '1 Untitled Step' }]);
  expect(roleOf(step('a'))).toBe('editor');
  expect(roleOf(step('a', [], { config: {} }))).toBe('Unassigned');
  expect(roleOf(step('a', [], { assignee: 'p@example.com' }))).toBe('p@example.com');
  const [decide, amount] = [step('decide', [], { title: 'Decide' }), 'decide.fields.amount'];
  const names = { steps: [decide], titleOf: () => 'Decide' };
  const described = (expression: string) => descriptionOf(condition([], { condition: expression }), names);
  expect(described(`${amount} > 60`)).toEqual({ text: 'Amount of Decide is more than 60', isExpression: false });
  expect(described('sum(scores) > 60')).toEqual({ text: 'sum(scores) > 60', isExpression: true });
});

test.each([
  [105, 4],
  [125, 5],
  [144, 5],
  [999, 6],
  [0, 4],
])('dropping at %i px inserts before row %i', (y, index) => {
  const rows = [
    { index: 5, top: 130, bottom: 160 },
    { index: 4, top: 100, bottom: 130 },
  ];
  expect(dropIndex(rows, y, 9)).toBe(index);
  expect(dropIndex([], y, 0)).toBe(0);
});

test('truncates long titles that other steps mention, without splitting a character', () => {
  const title = '\u{1F600}'.repeat(300);
  const name = shortNames([step('a', [], { title })]).get('a') ?? '';
  expect(name.length).toBeLessThanOrEqual(48);
  expect(name.endsWith('…')).toBe(true);
  expect(name.isWellFormed()).toBe(true);
  expect(shortNames([step('b', [], { title: 'Sign' })]).get('b')).toBe('1 Sign');
});
