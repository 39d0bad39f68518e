import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderTemplate } from './message-template.ts';

const values = {
  run: { name: 'March' },
  step: { title: 'Tell finance' },
  outputs: {
    collect: { text: 'Contoso', fields: { amount: 1200, urgent: false, nothing: null, colors: ['red', 'blue'] } },
    'a.b': { text: 'dotted' },
    a: { b: 'inner' },
    score: { value: 71 },
    sent: null,
  },
};

describe('a notification’s text', () => {
  it.each([
    ['{{run.name}}: {{step.title}}', 'March: Tell finance'],
    ['{{ run.name }}', 'March'],
    ['{{output.collect}}', 'Contoso'],
    ['{{output.collect.fields.amount}} {{output.collect.fields.urgent}}', '1200 false'],
    ['{{output.collect.fields.colors}}', 'red, blue'],
    ['<{{output.collect.fields.nothing}}{{output.collect.fields.gone}}{{output.sent}}>', '<>'],
    ['{{output.score}}', '{"value":71}'],
    ['{{output.a.b}} {{output.a}}', 'dotted {"b":"inner"}'],
    ['<{{output.nobody}}{{run.secret}}{{else}}> {{}} {{ {x} }}', '<{{output.nobody}}{{else}}> {{}} {{ {x} }}'],
    ['{{outputs.collect.text}}', 'Contoso'],
    ['  ', 'The run has reached the step “Tell finance”.'],
    ['{{output.collect.constructor}}', ''],
    ['{{{run.name}}}', '{March}'],
  ])('%j is rendered as %j', (template, text) => {
    expect(renderTemplate(template, values)).toBe(text);
  });

  it('leaves out the output of a step that has none yet', () => {
    expect(renderTemplate('<{{output.later.text}}>', values, new Set(['later']))).toBe('<>');
  });

  it('is the template if it has no placeholders', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('{{') && text.trim() !== ''),
        (text) => {
          expect(renderTemplate(text, values)).toBe(text);
        },
      ),
    );
  });

  it('is rendered once, so placeholders within an output stay unchanged', () => {
    const outputs = { collect: { text: '{{run.name}}' } };
    expect(renderTemplate('{{output.collect}}', { ...values, outputs })).toBe('{{run.name}}');
  });

  it('stays unchanged if it consists of thousands of unclosed placeholders', () => {
    expect(renderTemplate('{{'.repeat(10_000), values)).toBe('{{'.repeat(10_000));
  });
});
