import { namesFor } from '@stet/domain/expressions';
import type { Step } from '@stet/domain/steps';
import { linearNext } from '@stet/domain/workflows';
import { stepOf } from '@stet/domain/testing';
import { describe, expect, it } from 'vitest';
import { returnedNames, sampleOf } from './sample.ts';

const steps: Step[] = linearNext([
  stepOf({
    id: 'collect',
    type: 'manual',
    config: {
      fields: [
        { id: 'spend', label: 'Spend', kind: 'number', required: true },
        { id: 'reasons', label: 'Reasons', kind: 'many_of', options: ['a', 'b'], required: true },
        { id: 'urgent', label: 'Urgent', kind: 'yes_no', required: true },
      ],
    },
  }),
  stepOf({ id: 'a.score', title: 'Score', type: 'automated', config: {} }),
  stepOf({ id: 'large', type: 'condition', config: {} }),
]);

describe('a sample', () => {
  it('converts entered values to the type of their field, and has sample values for the others', () => {
    const typed = {
      'outputs.collect.fields.spend': '12,5',
      'outputs.collect.fields.urgent': 'no',
      'outputs.collect.fields.reasons': 'b\na',
      'run.name': '',
    };
    const sample = sampleOf(steps, 'large', namesFor(steps, 'large'), typed);
    expect(sample.outputs).toEqual({
      collect: { text: 'Sample text', fields: { spend: 12.5, reasons: ['b', 'a'], urgent: false } },
      'a.score': {},
    });
    expect(sample.run).toMatchObject({ name: null, priority: 'medium' });
  });

  it('has the values that a script or condition expects from an earlier script', () => {
    const text =
      'return outputs["a.score"].risk.level + outputs.collect.text; // get value(outputs, "a.score").risk.level';
    const names = returnedNames(text, steps, 'large');
    expect(names.map(({ path }) => path)).toEqual([['outputs', 'a.score', 'risk', 'level']]);
    const outputOf = (typed: string) =>
      sampleOf(steps, 'large', names, { 'outputs.a.score.risk.level': typed }).outputs['a.score'];
    expect(outputOf('7')).toEqual({ risk: { level: 7 } });
    expect(outputOf('yes')).toEqual({ risk: { level: true } });
    expect(outputOf('high')).toEqual({ risk: { level: 'high' } });
    expect(outputOf('')).toEqual({ risk: { level: null } });
    expect(returnedNames('xa.score.risk + "a.score"', steps, 'large')).toEqual([]);
  });
});
