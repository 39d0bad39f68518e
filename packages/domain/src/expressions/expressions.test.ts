import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newStep } from '../workflows/editor-rows.ts';
import { finalStepIds, provisionalStepId } from '../workflows/step-ids.ts';
import { stepOf, stepsOf } from '../workflows/workflow.arbitrary.ts';
import { checkExpression } from './check-expression.ts';
import { evaluateCondition, evaluateExpression } from './evaluate-expression.ts';
import { namesFor, namesOfRun, pathOf, sampleNames } from './names.ts';

const names = namesOfRun(
  { 'step-1': { text: 'Contoso', fields: { amount: 1200, approved: false } }, score: { value: 71 } },
  { name: 'March', priority: 'high', startedBy: 'Sam Okafor' },
);

describe('an expression', () => {
  it.each([
    ['step-1.fields.amount > 1000', true],
    ['outputs.step-1.fields.amount > 1000', true],
    ['get value(outputs, "step-1").fields.amount > 5000', false],
    ['score.value >= 70 and run.priority = "high"', true],
    ['not(step-1.fields.approved)', true],
    ['step-1.text in ("Contoso", "Fabrikam")', true],
    ['some x in [1, 2, 3] satisfies x > 2', true],
    ['missing = null', true],
    ['date("2026-11-18") > date("2026-01-01")', true],
  ])('%j evaluates to %s', (text, value) => {
    expect(evaluateCondition(text, names)).toEqual({ ok: true, value });
    expect(checkExpression(text, names)).toEqual([]);
  });

  it.each([
    ['', 'Write a condition', [0, 0]],
    ['score.value > ', 'The expression is incomplete', [14, 14]],
    ['score.value > 70)', "')' does not belong here", [16, 17]],
    ['score.value = = 70', 'There are two operators in a row', [14, 15]],
    ['missing.value > 70', "Variable 'missing' not found", [0, 7]],
    ['score.valu > 70', "Key 'valu' not found", [6, 10]],
    ['score.value', 'A condition must be true or false, but this is the number 71', [0, 11]],
    ['step-1.text', 'A condition must be true or false, but this is the text "Contoso"', [0, 11]],
    ['date("2026-01-01") < now()', 'A condition must be true or false, but this is null', [0, 26]],
    ['= 2', 'This is a function, not a value', [0, 3]],
    ['function(a) a', 'This is a function, not a value', [0, 13]],
  ])('%j is refused: %s at %j', (text, sentence, [from, to]) => {
    const evaluated = evaluateCondition(text, names);
    expect(evaluated).toMatchObject({ ok: false, problem: { from, to } });
    if (!evaluated.ok) expect(evaluated.problem.problem).toContain(sentence);
  });

  it('evaluates any text to a boolean, or to a problem whose position is inside the text', () => {
    const piece = fc.constantFrom(
      'score',
      '.',
      'value',
      ' > ',
      '70',
      '(',
      ')',
      '"',
      ' and ',
      '[',
      '1',
      '..',
      '=',
      'if ',
      '{',
      ':',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
          fc.string(),
        ),
        (text) => {
          const evaluated = evaluateCondition(text, names);
          if (evaluated.ok) return;
          const { from, to } = evaluated.problem;
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(Math.max(text.length, 0));
        },
      ),
    );
  });

  it('evaluates dates and durations to text, and lists and contexts to JSON', () => {
    expect(evaluateExpression('{due: date("2026-11-18"), spans: [duration("P1D")]}', names)).toEqual({
      ok: true,
      value: { due: '2026-11-18', spans: ['P1D'] },
    });
  });
});

const RUN = ['name', 'description', 'priority', 'workflow', 'version', 'startedBy', 'startedByEmail', 'startedAt'].map(
  (name) => `run.${name}`,
);

describe('the names that an expression can use', () => {
  const steps = stepsOf(
    { 'step-1': 'review', review: 'check', check: '7c2f-11 late', '7c2f-11': 'late', late: '', aside: 'late' },
    {
      'step-1': {
        type: 'manual',
        config: { fields: [{ id: 'amount', label: 'Amount', kind: 'number', required: true }] },
      },
      review: { type: 'approval' },
      check: { type: 'condition' },
      '7c2f-11': { type: 'manual' },
    },
  );
  const expressions = (stepId: string) => namesFor(steps, stepId).map(({ expression }) => expression);

  it('are the outputs of earlier steps, followed by the values of the run', () => {
    expect(expressions('check')).toEqual([
      'step-1.text',
      'step-1.fields.amount',
      'review.approved',
      'review.text',
      ...RUN,
    ]);
    expect(expressions('step-1')).toEqual(RUN);
    expect(expressions('late')).toContain('aside.text');
    expect(expressions('check')).not.toContain('aside.text');
  });

  it('have descriptions with the titles of steps and fields', () => {
    expect(namesFor(steps, 'check')[1]).toEqual({
      path: ['outputs', 'step-1', 'fields', 'amount'],
      expression: 'step-1.fields.amount',
      label: 'Amount',
      detail: 'STEP-1',
      sample: 100,
      kind: 'number',
    });
  });

  it.each(['check', 'late'])('evaluate to their sample values (step %s)', (stepId) => {
    for (const { expression, sample } of namesFor(steps, stepId)) {
      expect(evaluateExpression(expression, sampleNames(steps, stepId)), expression).toEqual({
        ok: true,
        value: sample,
      });
    }
  });

  it('can address any step: by its id if that is a valid name, otherwise through `get value`', () => {
    expect(pathOf('step-1')).toBe('step-1');
    expect(pathOf('if')).toBe('get value(outputs, "if")');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uuid(),
          fc.stringMatching(/^[a-z]{1,4}-?\d{0,3}$/),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((id) => !/["\\\p{C}]/u.test(id)),
        ),
        (id) => {
          const [before, after] = [stepOf({ id, next: ['zz-last'] }), stepOf({ id: 'zz-last' })];
          const all = sampleNames([before, after], 'zz-last');
          expect(evaluateCondition(`${pathOf(id)}.text = "Sample text" and true`, all)).toEqual({
            ok: true,
            value: true,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are plain names for the ids that new steps get from their titles', () => {
    const titles = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.stringMatching(/^[a-z]{1,4}[ -]?\d{0,3}$/),
    );
    fc.assert(
      fc.property(fc.oneof(titles, fc.constantFrom('If', '2nd', 'or 3', 'not')), fc.uuid(), (title, uuid) => {
        const steps = [{ ...newStep(provisionalStepId(uuid)), title }];
        for (const id of finalStepIds(steps, []).values()) expect(pathOf(id)).toBe(id);
      }),
    );
  });
});
