import { describe, expect, it } from 'vitest';
import { messageText } from './message-text.ts';

const seen = {
  run: { name: 'Renewal', priority: 'high', nothing: null },
  step: { title: 'Tell' },
  outputs: {
    ask: { text: 'Yes, $& and {{run.name}}', fields: { amount: 12, list: ['a', { b: 1 }] } },
    'a.b': { text: 'dotted', c: 'below' },
    robot: 42,
    bare: { x: true },
  },
};

describe('the text of a message', () => {
  it.each([
    ['{{run.name}}: {{ step.title }}', 'Renewal: Tell'],
    ['{{output.ask}}', 'Yes, $& and {{run.name}}'],
    ['{{outputs.ask.fields.amount}} {{output.robot}}', '12 42'],
    ['{{output.a.b}} {{output.a.b.c}}', 'dotted below'],
    ['{{output.bare}} {{output.ask.fields.list}}', '{"x":true} ["a",{"b":1}]'],
    ['[{{output.missing}}{{run.nothing}}{{run.missing.more}}{{other.name}}{{}}]', '[{{}}]'],
    ['{{output.constructor}}{{run.__proto__}}{{output.ask.toString}}', ''],
    ['{{ {{run.name}} }}', '{{ Renewal }}'],
    [' \n ', 'The run has come to the step “Tell”.'],
  ])('%j is %j', (template, text) => expect(messageText(template, seen)).toBe(text));

  it('is bounded, however often a template names something long', () => {
    const long = { ...seen, outputs: { big: 'x'.repeat(50_000) } };
    expect(messageText('{{output.big}}'.repeat(500), long)).toHaveLength(20_000);
  });
});
