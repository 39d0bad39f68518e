import { stepOf } from '@stet/domain/testing';
import { describe, expect, it } from 'vitest';
import { conditionSentence, readableExpression, readableMessage } from './condition-words.ts';

const ID = '0199aaaa-0000-7000-8000-000000000001';
const steps = [
  stepOf({
    id: ID,
    title: 'Decide on the batch',
    type: 'manual',
    config: {
      fields: [
        { id: 'decision', label: 'Decision', kind: 'choice', options: ['Destroy'], required: true },
        { id: 'is_urgent', label: 'Urgent', kind: 'yes_no', required: false },
      ],
    },
  }),
  stepOf({ id: 'check-price', title: 'Check the price', type: 'approval', config: {} }),
  stepOf({ id: 'big', title: 'Is it big?', type: 'condition', config: {} }),
];
const titleOf = (id: string): string => steps.find((step) => step.id === id)?.title ?? id;
const names = { titleOf, steps };
const decision = `get value(outputs, "${ID}").fields.decision`;

describe('a condition', () => {
  it.each<[string, string]>([
    [`${decision} = "Destroy"`, 'Decision of Decide on the batch is Destroy'],
    [`${decision} != "Destroy"`, 'Decision of Decide on the batch is not Destroy'],
    [`"Destroy" = ${decision}`, 'Decision of Decide on the batch is Destroy'],
    [`${decision} = "yes"`, 'Decision of Decide on the batch is “yes”'],
    [`${decision} = "A and B"`, 'Decision of Decide on the batch is “A and B”'],
    [`${decision} = null`, 'Decision of Decide on the batch is empty'],
    [`get value(outputs, "${ID}").fields.is_urgent`, 'Urgent of Decide on the batch is yes'],
    [`get value(outputs, "${ID}").fields.is_urgent = false`, 'Urgent of Decide on the batch is no'],
    [`get value(outputs, "${ID}").fields.unit_price >= 10.5`, 'Unit price of Decide on the batch is at least 10.5'],
    ['10 < check-price.text', 'Comments of Check the price is more than 10'],
    ['-1 <= outputs.big.x', 'X of Is it big? is at least -1'],
    ['check-price.approved', 'Check the price was approved'],
    ['check-price.approved = false', 'Check the price was not approved'],
    ['big.result != true', 'Is it big? was false'],
    ['number(check-price.text) > 500', 'Comments of Check the price is more than 500'],
    [
      'starts with(lower case(check-price.text), "yes")',
      'Comments of Check the price starts with “yes”, in upper or lower case',
    ],
    ['not(ends with(run.name, "Testing"))', 'not (Name of the run ends with Testing)'],
    [
      'contains(run.name, "x") and upper case(run.name) = "AX"',
      'Name of the run contains x and Name of the run is AX, in upper or lower case',
    ],
    ['run.priority = "high"', 'Priority of the run is high'],
    ['run.startedAt > date("2026-01-01")', 'Start of the run is after 2026-01-01'],
    ['run.version = run.priority', 'Version of the workflow is Priority of the run'],
    ['not(big.result)', 'not (Is it big? was true)'],
    [
      'run.version > 1 and run.version < 9 or run.name = "x"',
      '(Version of the workflow is more than 1 and Version of the workflow is less than 9) or Name of the run is x',
    ],
    [
      'run.version > 1 and (run.version < 9 or run.name = "x")',
      'Version of the workflow is more than 1 and (Version of the workflow is less than 9 or Name of the run is x)',
    ],
  ])('%s reads “%s”', (expression, sentence) => {
    expect(conditionSentence(expression, names)).toBe(sentence);
  });

  it.each([
    '',
    'true',
    '1 = 1',
    'unknown.x = 1',
    'run = 1',
    'run.version + 1 > 2',
    'some x in outputs satisfies x > 1',
    'run.version > 1 extra',
    'run.version >',
    'run.version > true',
    'number(5) > 1',
    'contains("a", run.name)',
    'contains(run.name, run.name)',
    '(run.version > 1',
    'run.name = "open',
    'count(outputs) > 2',
    `get value(outputs, "${ID}") = 1`,
  ])('%s isn’t a simple comparison', (expression) => {
    expect(conditionSentence(expression, names)).toBeNull();
  });

  it('that isn’t a simple comparison still names its values', () => {
    expect(readableExpression(`${decision} + run.name = "run.name" and other.x + big.result`, names)).toBe(
      '‹Decision of Decide on the batch› + ‹Name of the run› = "run.name" and other.x + ‹Whether the condition was true of Is it big?›',
    );
  });
});

it('a message names a step even if only its title is known', () => {
  const known = { titleOf: (id: string) => (id === 'a.b' ? 'Ask' : id), steps: [] };
  expect(readableMessage('{{output.a.b.fields.lot_number}} {{output.c.text}}', known)).toBe(
    '‹Lot number of Ask› {{output.c.text}}',
  );
});

it('a message names its known placeholders', () => {
  expect(readableMessage(`Decided: {{output.${ID}.fields.decision}} {{run.name}} {{x}} {{output.big}}`, names)).toBe(
    'Decided: ‹Decision of Decide on the batch› ‹Name of the run› {{x}} ‹Output of Is it big?›',
  );
});
