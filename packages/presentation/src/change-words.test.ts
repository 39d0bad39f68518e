import { describe, expect, it } from 'vitest';
import { stepOf } from '@stet/domain/testing';
import { type FieldForm, fieldChanges, fieldValues, metadataChanges, withPeopleNamed } from './change-words.ts';

const titles: Record<string, string> = { a: 'Ask', b: 'Bid', c: 'Close' };
const titleOf = (id: string): string => titles[id] ?? id;
const modified = (changes: Record<string, { before?: unknown; after?: unknown }>) =>
  fieldChanges({ id: 'a', type: 'modified', changes }, titleOf);

describe('a modified step’s lines', () => {
  it.each<[field: string, label: string, form: FieldForm]>([
    ['title', 'Step', 'text'],
    ['description', 'Task', 'text'],
    ['assignee', 'Assignee', 'whole'],
    ['sla', 'SLA', 'text'],
    ['type', 'Type', 'whole'],
    ['position', 'Position', 'whole'],
    ['somethingNew', 'somethingNew', 'text'],
  ])('label the field %s "%s" (form %s)', (field, label, form) => {
    expect(modified({ [field]: { before: 'old', after: 'new' } })).toEqual([
      { field, label, before: 'old', after: 'new', form },
    ]);
  });

  it.each<[setting: string, label: string, form: FieldForm]>([
    ['assignedRole', 'Role', 'whole'],
    ['requiresApproval', 'Needs approval', 'whole'],
    ['minimumApprovers', 'Approvers', 'text'],
    ['separateFrom', 'Not by the person who completed the previous step', 'whole'],
    ['script', 'Script', 'code'],
    ['timeout', 'Timeout (s)', 'text'],
    ['condition', 'Condition', 'text'],
    ['recipients', 'Recipients', 'text'],
    ['template', 'Message', 'text'],
    ['channels', 'Channels', 'text'],
    ['fields', 'Fields', 'text'],
    ['somethingNew', 'somethingNew', 'text'],
  ])('label the setting %s "%s" (form %s)', (field, label, form) => {
    expect(modified({ config: { before: { [field]: 'old', same: 1 }, after: { [field]: 'new', same: 1 } } })).toEqual([
      { field, label, before: 'old', after: 'new', form },
    ]);
  });

  it.each<[setting: string, label: string, form: FieldForm]>([
    ['onReject', 'Returns to', 'whole'],
    ['trueNext', 'If true', 'text'],
    ['falseNext', 'If false', 'text'],
  ])('name the steps in the setting %s by their titles', (field, label, form) => {
    expect(modified({ config: { before: { [field]: 'a' }, after: { [field]: 'gone' } } })).toEqual([
      { field, label, before: 'Ask', after: 'gone', form },
    ]);
  });

  it('say whether a step can be skipped', () => {
    const lines = (before: object, after: object) =>
      modified({ config: { before, after } }).map((line) => [line.label, line.before, line.after]);
    expect(lines({}, { skip: 'never' })).toEqual([['Skipping', 'allowed', 'never']]);
    expect(lines({ skip: 'never' }, {})).toEqual([['Skipping', 'never', 'allowed']]);
  });

  it('show every next step, or that nothing follows', () => {
    expect(modified({ next: { before: ['a', 'b'], after: [] } })).toEqual([
      { field: 'next', label: 'Leads to', before: 'Ask\nBid', after: 'the end of the run', form: 'text' },
    ]);
  });

  it('show the steps that each result of a condition leads to, instead of its branch setting', () => {
    const config = { before: {}, after: { falseNext: 'b' } };
    const [onTrue, onFalse] = [
      { before: ['b', 'a'], after: ['a'] },
      { before: ['b', 'a'], after: ['b'] },
    ];
    expect(modified({ config, onTrue, onFalse })).toEqual([
      { field: 'onTrue', label: 'If true', before: 'Bid\nAsk', after: 'Ask', form: 'text' },
      { field: 'onFalse', label: 'If false', before: 'Bid\nAsk', after: 'Bid', form: 'text' },
    ]);
    expect(modified({ config, onTrue })).toMatchObject([{ field: 'falseNext' }, { field: 'onTrue' }]);
  });

  it('show that the step was moved even if its number is the same', () => {
    expect(modified({ position: { before: 2, after: 2 } })).toMatchObject([
      { before: '2', after: '2 (steps around it were reordered)' },
    ]);
  });

  it('show added and removed settings, even if the step had none before', () => {
    expect(modified({ config: { before: { timeout: 5 }, after: { script: 'return 1' } } })).toEqual([
      { field: 'timeout', label: 'Timeout (s)', before: '5', after: '', form: 'text' },
      { field: 'script', label: 'Script', before: '', after: 'return 1', form: 'code' },
    ]);
    for (const none of [undefined, null, 'none'])
      expect(modified({ config: { before: none, after: { timeout: 0 } } })).toMatchObject([{ before: '', after: '0' }]);
  });

  it('show yes or no, and no for an absent setting that is on in the other version', () => {
    const inWords = (before: unknown, after: unknown) =>
      modified({ config: { before: { requiresApproval: before }, after: { requiresApproval: after } } }).map((line) => [
        line.before,
        line.after,
      ]);
    expect(inWords(true, false)).toEqual([['yes', 'no']]);
    expect(inWords(true, undefined)).toEqual([['yes', 'no']]);
    expect(inWords(undefined, true)).toEqual([['no', 'yes']]);
    expect(inWords(false, undefined)).toEqual([['no', '']]);
    expect(inWords(undefined, false)).toEqual([['', 'no']]);
  });

  it('join lists of words, and show any other value without JSON', () => {
    const fields = [{ name: 'amount', type: 'number', limits: { most: 5, of: ['a', 'b'] } }];
    expect(
      modified({ config: { before: { recipients: ['x@y.example', 'admin'] }, after: { recipients: [] } } }),
    ).toMatchObject([{ before: 'x@y.example, admin', after: '' }]);
    expect(modified({ config: { before: {}, after: { fields } } })).toMatchObject([
      { before: '', after: '–\n  name: amount\n  type: number\n  limits:\n    most: 5\n    of:\n      – a\n      – b' },
    ]);
    expect(modified({ config: { before: {}, after: { fields: ['a', 1] } } })).toMatchObject([{ after: '– a\n– 1' }]);
    expect(modified({ description: { before: null } })).toMatchObject([{ before: '', after: '' }]);
  });

  it('are empty if there is nothing to show', () => {
    expect(fieldChanges({ id: 'a', type: 'modified' }, titleOf)).toEqual([]);
  });
});

describe('two values that look the same', () => {
  it.each<[what: string, before: unknown, after: unknown, lines: [string, string]]>([
    ['a zero width space', 'payroll', 'pay\u200Broll', ['payroll', 'pay⟨U+200B⟩roll']],
    ['a non-breaking space', 'a b', 'a\u00A0b', ['"a b"', '"a⟨U+00A0⟩b"']],
    ['line ends', 'a\nb', 'a\r\nb', ['"a\\nb"', '"a\\r\\nb"']],
    ['a composed letter', '\u00E9', 'e\u0301', ['"\u00E9"', '"e⟨U+0301⟩"']],
    ['a compatibility character for a letter', '\u00C5', '\u212B', ['"⟨U+00C5⟩"', '"⟨U+212B⟩"']],
    ['a comma in a name', ['a, b'], ['a', 'b'], ['["a, b"]', '["a","b"]']],
    ['an empty text instead of an absent one', undefined, '', ['', '""']],
  ])('are shown so that they look different (%s)', (_, before, after, [was, is]) => {
    expect(modified({ config: { before: { template: before }, after: { template: after } } })).toMatchObject([
      { before: was, after: is },
    ]);
  });

  it('are shown with ids if they are steps with the same title', () => {
    const sameTitle = () => 'Pay';
    const changes = { next: { before: ['a'], after: ['b'] } };
    expect(fieldChanges({ id: 'x', type: 'modified', changes }, sameTitle)).toMatchObject([
      { before: '["a"]', after: '["b"]' },
    ]);
  });
});

describe('an added or removed step’s lines', () => {
  const lines = (value: Parameters<typeof stepOf>[0]) =>
    fieldValues({ id: 'a', type: 'added', value: stepOf(value) }, titleOf);

  it('are its type, assignee, task, next steps and settings, but not its empty SLA', () => {
    expect(
      lines({
        id: 'a',
        type: 'approval',
        assignee: 'reviewer',
        sla: '',
        description: 'Look at it',
        config: { minimumApprovers: 2, onReject: 'b' },
        next: ['c'],
      }),
    ).toEqual([
      { field: 'type', label: 'Type', text: 'approval', form: 'whole' },
      { field: 'assignee', label: 'Assignee', text: 'reviewer', form: 'whole' },
      { field: 'description', label: 'Task', text: 'Look at it', form: 'text' },
      { field: 'next', label: 'Leads to', text: 'Close', form: 'text' },
      { field: 'minimumApprovers', label: 'Approvers', text: '2', form: 'text' },
      { field: 'onReject', label: 'Returns to', text: 'Bid', form: 'whole' },
    ]);
  });

  it('show the steps before and after it, or that runs begin or end there', () => {
    const linksOf = (previous: string[], next: string[]) =>
      fieldValues({ id: 'a', type: 'added', value: stepOf({ id: 'a', next }), previous }, titleOf)
        .filter(({ field }) => field === 'previous' || field === 'next')
        .map(({ label, text }) => `${label}: ${text}`);
    expect(linksOf(['a'], ['b', 'c'])).toEqual(['Comes after: Ask', 'Leads to: Bid\nClose']);
    expect(linksOf([], [])).toEqual(['Comes after: the start of the run', 'Leads to: the end of the run']);
  });

  it('label an unknown setting with its own name', () => {
    const value = { ...stepOf({ id: 'a' }), config: { somethingNew: 'x' } };
    expect(fieldValues({ id: 'a', type: 'removed', value }, titleOf).at(-1)).toEqual({
      field: 'somethingNew',
      label: 'somethingNew',
      text: 'x',
      form: 'text',
    });
  });
});

it('metadataChanges labels the name and the description, and shows other fields under their own names', () => {
  expect(
    metadataChanges({
      title: { before: 'a', after: 'b' },
      description: { before: '', after: 'More' },
      other: { before: 'x', after: undefined },
      next: { before: 'a', after: 'b' },
    }),
  ).toEqual([
    { field: 'title', label: 'Name', before: 'a', after: 'b', form: 'text' },
    { field: 'description', label: 'Description', before: '', after: 'More', form: 'text' },
    { field: 'other', label: 'other', before: 'x', after: '', form: 'text' },
    { field: 'next', label: 'next', before: 'a', after: 'b', form: 'text' },
  ]);
});

describe('people', () => {
  const names: Record<string, string> = { 'sam@x.example': 'Sam Okafor', 'sam2@x.example': 'Sam Okafor' };
  const nameOf = (address: string): string => names[address] ?? address;

  it('are named among assignees and recipients, but not in other texts', () => {
    const lines = modified({
      assignee: { before: 'editor', after: 'sam@x.example' },
      description: { before: '', after: 'sam@x.example' },
      config: { before: {}, after: { recipients: ['admin', 'sam@x.example'] } },
    });
    expect(withPeopleNamed(lines, nameOf).map(({ before, after }) => [before, after])).toEqual([
      ['editor', 'Sam Okafor'],
      ['', 'sam@x.example'],
      ['', 'admin, Sam Okafor'],
    ]);
    const value = stepOf({ id: 'a', assignee: 'sam@x.example' });
    const values = withPeopleNamed(fieldValues({ id: 'a', type: 'added', value }, titleOf), nameOf);
    expect(values.find(({ field }) => field === 'assignee')?.text).toBe('Sam Okafor');
  });

  it('keep their addresses if both sides of a change would look the same', () => {
    const lines = modified({ assignee: { before: 'sam@x.example', after: 'sam2@x.example' } });
    expect(withPeopleNamed(lines, nameOf)).toEqual(lines);
  });
});
