import { evaluateCondition, namesOfRun } from '@stet/domain/expressions';
import { FIELD_KINDS } from '@stet/domain/steps';
import { stepOf } from '@stet/domain/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OPERATORS_OF, type Pick, pickExpression, pickedCondition } from './picked-condition.ts';

const IDS = [
  'collect',
  'check-price',
  '0199aaaa-0000-7000-8000-000000000001',
  'date',
  'contains',
  'lower',
  'a.b',
  'if',
];
const steps = IDS.map((id) => stepOf({ id, title: `Step ${id}`, type: 'manual', config: {} }));
const names = { titleOf: (id: string): string => steps.find((step) => step.id === id)?.title ?? id, steps };

const path = fc.oneof(
  fc.record({
    stepId: fc.constantFrom(...IDS),
    parts: fc.constantFrom(['text'], ['fields', 'amount'], ['fields', 'date']),
  }),
  fc.record({ stepId: fc.constant(null), parts: fc.constantFrom(['name'], ['priority']) }),
);
const number = fc.oneof(
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
    .map((value) => Number(value.toFixed(8)) + 0),
);
const pick: fc.Arbitrary<Pick> = fc.oneof(
  fc.record({ path, operator: fc.constantFrom(...OPERATORS_OF.text), value: fc.string({ unit: 'grapheme' }) }),
  fc.record({ path, operator: fc.constantFrom(...OPERATORS_OF.number), value: number }),
  fc.record({ path, operator: fc.constant('=' as const), value: fc.boolean() }),
  fc.record({ path, operator: fc.constantFrom('=' as const, '!=' as const), value: fc.constant(null) }),
);
const chain = fc.record({
  join: fc.constantFrom('and' as const, 'or' as const),
  picks: fc.array(pick, { minLength: 2, maxLength: 5 }),
});

describe('a picked condition', () => {
  it('is read back from its expression unchanged', () => {
    fc.assert(
      fc.property(chain, ({ join, picks }) => {
        const texts = picks.map(pickExpression);
        const written = picks.map((each, at) => ({ ...each, text: texts[at] }));
        expect(pickedCondition(texts.join(` ${join} `), names)).toEqual({ join, picks: written });
      }),
    );
  });

  it.each([1e21, -1.5e30, 1e-7])('has the number %d without an exponent', (value) => {
    const text = pickExpression({ path: { stepId: 'collect', parts: ['text'] }, operator: '=', value });
    expect(text).not.toMatch(/\de/);
    expect(evaluateCondition(text, namesOfRun({ collect: { text: value } }, {}))).toEqual({ ok: true, value: true });
    expect(pickedCondition(text, names)?.picks).toMatchObject([{ value }]);
  });

  it('contains each part of the expression as it was typed', () => {
    const typed = '  "Destroy"   =  collect.text   and\ncheck-price.approved and run.version  != 2';
    expect(pickedCondition(typed, names)?.picks.map(({ text }) => text)).toEqual([
      '"Destroy"   =  collect.text',
      'check-price.approved',
      'run.version  != 2',
    ]);
  });

  it('is true for a run with exactly this value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), number, fc.boolean()), (value) => {
        // The library doesn't read escaped control characters. A single-line field can't contain them.
        fc.pre(typeof value !== 'string' || !/\p{Cc}/u.test(value));
        const text = pickExpression({ path: { stepId: 'collect', parts: ['text'] }, operator: '=', value });
        expect(evaluateCondition(text, namesOfRun({ collect: { text: value } }, {}))).toEqual({
          ok: true,
          value: true,
        });
      }),
    );
  });

  it.each(FIELD_KINDS)('can be evaluated with every operator for a value of the kind %s', (kind) => {
    const value = { number: 5, yes_no: true, date: '2026-11-18' }[kind as string] ?? 'a';
    for (const operator of OPERATORS_OF[kind]) {
      const text = pickExpression({ path: { stepId: 'date', parts: ['fields', 'x'] }, operator, value });
      const given = kind === 'many_of' ? ['b', value] : value;
      const names = namesOfRun({ date: { fields: { x: given } } }, {});
      expect(evaluateCondition(text, names), text).toMatchObject({
        ok: true,
        value: !['!=', '<', '>'].includes(operator),
      });
    }
  });

  it.each([
    '',
    'collect.text =',
    'collect.text = 1 and run.version = 2 or run.name = "x"',
    'collect.text = 1 and (run.version = 2 or run.name = "x")',
    '(collect.text = 1)',
    'not(collect.text = 1)',
    'number(collect.text) > 5',
    'lower case(collect.text) = "a"',
    'run.startedAt > date("2026-01-01")',
    'run.version = run.name',
    'collect.text + 1 > 2',
  ])('can’t be read from %j', (expression) => {
    expect(pickedCondition(expression, names)).toBeNull();
  });
});
