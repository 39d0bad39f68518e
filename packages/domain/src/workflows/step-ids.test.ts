import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '../steps/index.ts';
import { newStep } from './editor-rows.ts';
import { finalStepIds, isProvisional, provisionalStepId, stepIdReplacer, titledStepIds } from './step-ids.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const fresh = (n: number, title: string): Step => ({ ...newStep(provisionalStepId(uuid(n))), title });
const idsOf = (titles: string[], used: string[] = []): string[] => [
  ...finalStepIds(
    titles.map((title, n) => fresh(n, title)),
    used,
  ).values(),
];

describe('the final id of a new step', () => {
  it.each([
    ['Check stock', 'check-stock'],
    ['  Über 5,000 € ', 'uber-5-000'],
    ['New Step', 'step-1'],
    ['', 'step-1'],
    ['مراجعة', 'step-1'],
    ['2nd check', 'step-2nd-check'],
    ['And', 'step-and'],
    ['Outputs', 'step-outputs'],
    ['Confirm that the supplier has delivered all ordered goods', 'confirm-that-the-supplier-has-delivered'],
    ['x'.repeat(300), 'x'.repeat(40)],
  ])('for the title %j is %s', (title, id) => {
    expect(idsOf([title])).toEqual([id]);
  });

  it('has a number if the workflow has or had the id', () => {
    expect(idsOf(['Check', 'Check', 'Sign'], ['sign', 'sign-2'])).toEqual(['check', 'check-2', 'sign-3']);
    expect(idsOf(['New Step', ''], ['step-1', 'step-2'])).toEqual(['step-3', 'step-4']);
  });

  it('can be given before the save to steps with a title of their own', () => {
    const steps = [fresh(0, 'Sign'), fresh(1, 'New Step'), fresh(2, ' '), fresh(3, 'Sign'), newStep('step-2')];
    expect([...titledStepIds(steps, ['sign'])]).toEqual([
      [provisionalStepId(uuid(0)), 'sign-2'],
      [provisionalStepId(uuid(3)), 'sign-3'],
    ]);
  });

  it('is only for steps that were never saved', () => {
    const steps = [newStep('step-1'), newStep(uuid(1)), fresh(2, 'Sign')];
    expect([...finalStepIds(steps, []).keys()]).toEqual([provisionalStepId(uuid(2))]);
  });

  it('is unused and distinct for all titles', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom('A', 'a 2', 'step 1', 'if'))),
        fc.array(fc.constantFrom('a', 'a-2', 'step-1', 'step-2', 'step-if')),
        (titles, used) => {
          const ids = idsOf(titles, used);
          expect(new Set([...ids, ...used]).size).toBe(titles.length + new Set(used).size);
          expect(ids.some(isProvisional)).toBe(false);
        },
      ),
    );
  });
});

describe('a replaced step id', () => {
  const [one, two] = [provisionalStepId(uuid(1)), provisionalStepId(uuid(2))];
  const replace = stepIdReplacer(
    new Map([
      [one, 'decide'],
      [two, 'step-2'],
    ]),
  );

  it('is replaced in links, settings, expressions, templates and scripts', () => {
    const condition = {
      ...newStep(two, 'condition'),
      next: [one],
      config: { condition: `get value(outputs, "${one}").approved and ${one}.text = "x"`, trueNext: one },
    } as Step;
    expect(replace.step(condition)).toEqual({
      ...condition,
      id: 'step-2',
      next: ['decide'],
      config: { condition: 'decide.approved and decide.text = "x"', trueNext: 'decide' },
    });
    const script = { ...newStep('a', 'automated'), config: { script: `return outputs["${one}"].text` } } as Step;
    expect(replace.step(script).config).toEqual({ script: 'return outputs["decide"].text' });
    const notification = { ...newStep('b', 'notification'), config: { template: `{{output.${one}.text}}` } } as Step;
    expect(replace.step(notification).config).toMatchObject({ template: '{{output.decide.text}}' });
  });

  it('leaves other steps and their texts unchanged', () => {
    const step = { ...newStep('a'), description: `Write "new-${'x'.repeat(36)}" \\ and ${provisionalStepId(uuid(3))}` };
    const content = { metadata: { title: 'T', description: '' }, steps: [step] };
    expect(replace.step(step)).toBe(step);
    expect(replace.content(content)).toBe(content);
  });

  it('gives the same object each time for the same step, because an undo history repeats steps', () => {
    const step = fresh(1, 'Decide');
    expect(replace.step(step)).toBe(replace.step(step));
  });
});
