import { describe, expect, it } from 'vitest';
import { linearNext, newStep } from '@stet/domain/workflows';
import type { InputField, Step } from '@stet/domain/steps';
import { describeSteps, stepRules } from './described-steps.ts';
import { wayInWords } from './ways.ts';

const manual = (id: string, next: string[] = []): Step => ({ ...newStep(id), title: `Title of ${id}`, next });
const condition = (
  id: string,
  config: { condition?: string; trueNext?: string; falseNext?: string },
  next: string[],
): Step => ({
  ...newStep(id, 'condition'),
  type: 'condition',
  config,
  next,
});
const describedLines = (steps: readonly Step[]): string[][] =>
  describeSteps(steps).map(({ ways, after }) => [
    ...(after.length > 0 ? [`after ${after.map(({ number }) => number).join('+')}`] : []),
    ...ways.map((way) => {
      const { before, expression, after: to } = wayInWords(way);
      return [before, expression, '→', to].filter((part) => part !== null).join(' ');
    }),
  ]);

describe('a workflow’s steps', () => {
  it('don’t mention that each step follows the previous one', () => {
    expect(describedLines(linearNext([manual('a'), manual('b'), manual('c')]))).toEqual([[], [], []]);
  });

  it('show where a condition leads, and where branches join again', () => {
    expect(
      describedLines([
        condition('amount', { condition: 'amount > 5000', trueNext: 'board', falseNext: 'pay' }, ['board', 'pay']),
        manual('board', ['pay']),
        manual('pay'),
      ]),
    ).toEqual([['If amount > 5000 → step 2', 'Otherwise → step 3'], [], ['after 1+2']]);
  });

  it('show a condition as a sentence with the titles of steps', () => {
    const steps = [
      manual('collect', ['amount']),
      condition('amount', { condition: 'collect.fields.total_amount > 5000', trueNext: 'pay' }, ['pay']),
      manual('pay'),
    ];
    expect(describedLines(steps)[1]).toEqual([
      'If Total amount of Title of collect is more than 5000 → step 3',
      'Otherwise → the end',
    ]);
  });

  it('show an expression that no sentence can replace, with readable names', () => {
    const id = '0199aaaa-0000-7000-8000-000000000001';
    const expression = `get value(outputs, "${id}").fields.total + 1 > 2`;
    const steps = [
      manual(id, ['x']),
      condition('x', { condition: expression, trueNext: 'pay' }, ['pay']),
      manual('pay'),
    ];
    expect(describedLines(steps)[1]?.[0]).toBe(`If ‹Total of Title of ${id}› + 1 > 2 → step 3`);
  });

  it('show the fields of a form', () => {
    const fields: InputField[] = [
      {
        id: 'a',
        label: 'Amount',
        kind: 'number',
        required: true,
        min: 0,
        max: 500,
        unit: 'EUR',
        help: ' Without tax ',
      },
      { id: 'b', label: 'Weight', kind: 'number', required: false, unit: 'kg' },
      { id: 'c', label: 'Reasons', kind: 'many_of', options: ['Price', 'Quality'], required: false },
      { id: 'd', label: 'Owner', kind: 'person', required: false, requiredIf: 'list contains(c, "a b") or a > 5' },
    ];
    const [described] = describeSteps([{ ...newStep('a'), type: 'manual', config: { fields } }]);
    expect(described?.form.map(({ label, answer, required, help }) => [label, answer, required, help])).toEqual([
      ['Amount', 'Number, from 0 to 500 EUR', 'Required', 'Without tax'],
      ['Weight', 'Number in kg', 'Optional', ''],
      ['Reasons', 'Several choices: Price, Quality', 'Optional', ''],
      ['Owner', 'Person', 'Required if list contains(Reasons, "a b") or Amount > 5', ''],
    ]);
  });

  it('name the placeholders of a message', () => {
    const template = ' {{output.a.fields.lot_number}} is sold ';
    const steps: Step[] = [
      manual('a'),
      { ...newStep('b', 'notification'), type: 'notification', config: { template } },
    ];
    expect(describeSteps(steps).map(({ message }) => message)).toEqual(['', '‹Lot number of Title of a› is sold']);
  });

  it('show that a result without its own setting leads to the other next step, or ends the path', () => {
    expect(describedLines([condition('x', { condition: 'ok', trueNext: 'a' }, ['a']), manual('a')])).toEqual([
      ['If ok → step 2', 'Otherwise → the end'],
      [],
    ]);
    expect(describedLines([condition('x', { trueNext: 'a' }, ['a', 'b']), manual('a'), manual('b')])).toEqual([
      ['If true → step 2', 'Otherwise → step 3'],
      ['Then → the end'],
      ['after 1'],
    ]);
  });

  it('show which steps run in parallel, and which steps a join waits for', () => {
    expect(describedLines([manual('a', ['b', 'c']), manual('b', ['d']), manual('c', ['d']), manual('d')])).toEqual([
      ['Then at the same time → steps 2 and 3'],
      ['Then → step 4'],
      ['after 1'],
      ['after 2+3'],
    ]);
  });

  it('show where a rejection leads', () => {
    const vote = (onReject?: string): Step => ({
      ...newStep('vote', 'approval'),
      type: 'approval',
      config: onReject ? { onReject } : {},
      next: [],
    });
    expect(describedLines([manual('a', ['vote']), vote('a')])).toEqual([[], ['If rejected → back to step 1']]);
    expect(describedLines([manual('a', ['vote']), vote()])).toEqual([[], ['If rejected → the run fails']]);
  });

  it('are called by their number if they have no title', () => {
    expect(describeSteps([{ ...manual('a'), title: ' ' }]).map(({ title }) => title)).toEqual(['Step 1']);
  });
});

describe('the rules of a step', () => {
  it.each<[string, Step, string[]]>([
    ['are empty for a plain step', manual('a'), []],
    [
      'mention that another person approves the input',
      { ...newStep('a'), type: 'manual', config: { requiresApproval: true, assignedRole: 'editor' } },
      ['A second person with the role editor must approve the input'],
    ],
    [
      'mention that two people must approve, and who can’t',
      { ...newStep('a', 'approval'), type: 'approval', config: { minimumApprovers: 2, separateFrom: true } },
      ['2 people must approve', 'The person who completed the previous step can’t decide here'],
    ],
    ['don’t mention a single approval', { ...newStep('a', 'approval'), type: 'approval', config: {} }, []],
    [
      'mention a simulation',
      { ...newStep('a', 'automated'), type: 'automated', config: { script: ' ' } },
      ['Simulated by the server, because it has no script'],
    ],
    [
      'mention the time limit of a script',
      { ...newStep('a', 'automated'), type: 'automated', config: { script: 'return 1' } },
      ['Executed by the server within 1 min'],
    ],
    [
      'mention the recipients and channels of a notification',
      {
        ...newStep('a', 'notification'),
        type: 'notification',
        config: { recipients: ['finance@x.example', ' '], channels: ['slack', 'in-app'] },
      },
      ['Sent to finance@x.example by Slack, a notification in the app'],
    ],
    [
      'mention that nobody can skip the step',
      { ...newStep('a'), type: 'manual', config: { skip: 'never' } },
      ['Nobody can skip this step'],
    ],
  ])('%s', (_, step, rules) => {
    expect(stepRules(step)).toEqual(rules);
  });
});
