import { placeholdersOf } from '@stet/domain/workflows';
import { describe, expect, it } from 'vitest';
import { recipientsProblem } from '../notification/recipients.ts';
import { inMessage, inScript, unknownPlaceholder } from './name-texts.ts';

const entry = (...path: string[]) => ({
  path,
  expression: '',
  label: '',
  detail: '',
  sample: '',
  kind: 'text' as const,
});

describe('a name', () => {
  it.each([
    [['outputs', 'collect', 'fields', 'amount'], 'outputs.collect.fields.amount'],
    [['outputs', 'step-1', 'text'], 'outputs["step-1"].text'],
    [['outputs', 'a"b', 'text'], 'outputs["a\\"b"].text'],
    [['run', 'name'], 'run.name'],
  ])('%j is inserted into a script as %s', (path, text) => {
    expect(inScript(entry(...path))).toBe(text);
  });

  it('is recognized in a message', () => {
    const text = inMessage(entry('outputs', 'step-1', 'fields', 'amount'));
    expect(placeholdersOf(text, new Set(['step-1']))).toMatchObject([
      { kind: 'output', stepId: 'step-1', path: ['fields', 'amount'] },
    ]);
    expect(inMessage(entry('run', 'name'))).toBe('{{run.name}}');
    expect(inMessage(entry('run', 'priority'))).toBe('{{run.priority}}');
  });
});

describe('a message', () => {
  it.each([
    ['{{run.name}} {{step.title}} {{output.a.b}}', null],
    ['{{run.secret}}', 'run.secret'],
    ['{{output.gone}}', 'output.gone'],
    ['{{else}} {{run.secret}}', 'else'],
  ])('with the text %s has %s as its first unknown placeholder', (template, unknown) => {
    expect(unknownPlaceholder(template, { outputs: { a: {} }, run: { name: '' } })).toBe(unknown);
  });
});

describe('recipients', () => {
  it('must be email addresses or roles', () => {
    expect(recipientsProblem(['sam@example.com', 'reviewer'])).toBeNull();
    expect(recipientsProblem(['sam@example.com', 'somebody'])).toBe('somebody is neither an email address nor a role');
  });
});
