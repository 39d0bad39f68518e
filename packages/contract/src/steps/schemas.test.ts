import { STEP_KINDS, STEP_TYPES, defaultConfig, isServerType } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';
import { describe, expect, it } from 'vitest';
import { steps } from '../workflow-content.ts';
import { STEP_REPORTS, STEP_SCHEMAS, stepInput } from './index.ts';

describe('step schemas', () => {
  it('exist for every type, with a report schema for every type that the server executes', () => {
    expect(Object.keys(STEP_SCHEMAS)).toEqual([...STEP_TYPES]);
    expect(Object.keys(STEP_REPORTS)).toEqual(STEP_TYPES.filter(isServerType));
  });

  it.each(STEP_TYPES)('have exactly the settings that the domain lists for type %s', (type) => {
    const config = STEP_SCHEMAS[type].shape.config.unwrap();
    expect(Object.keys(config.shape).toSorted()).toEqual(Object.keys(STEP_KINDS[type].settings).toSorted());
  });

  it.each(STEP_TYPES)('accept a new step of type %s', (type) => {
    expect(stepInput.parse(newStep('a', type))).toMatchObject({ type, config: defaultConfig(type) });
  });

  it('read a step without a type as manual, and the old type review as approval', () => {
    expect(stepInput.parse({ id: 'a', title: 'A' }).type).toBe('manual');
    expect(stepInput.parse({ id: 'a', title: 'A', type: 'review' }).type).toBe('approval');
    expect(stepInput.safeParse({ id: 'a', title: 'A', type: 'other' }).error?.issues[0]?.message).toBe(
      `type must be one of ${STEP_TYPES.join(', ')}`,
    );
  });

  it.each(STEP_TYPES)(
    'refuse fields and settings that type %s doesn’t have, because no review would show them',
    (type) => {
      const sent = { id: 'a', title: 'A', type };
      const own = Object.keys(STEP_KINDS[type].settings);
      const others = STEP_TYPES.flatMap((other) => Object.keys(STEP_KINDS[other].settings)).filter(
        (name) => !own.includes(name),
      );
      for (const name of [...others, 'unknown']) {
        const { error } = stepInput.safeParse({ ...sent, config: { [name]: 'a' } });
        expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: [name], path: ['config'] }]);
      }
      const { error } = stepInput.safeParse({ ...sent, hidden: true });
      expect(error?.issues).toMatchObject([{ code: 'unrecognized_keys', keys: ['hidden'], path: [] }]);
    },
  );

  it('derive the next steps of a condition from its branches if it lists none', () => {
    const ask = { id: 'ask', title: 'Ask', type: 'condition' as const };
    const others = ['yes', 'no', 'more'].map((id) => ({ id, title: id, next: [] }));
    const nextOf = (step: object): string[] | undefined => steps.parse([{ ...ask, ...step }, ...others])[0]?.next;
    expect(nextOf({ config: { falseNext: 'no', trueNext: 'yes' } })).toEqual(['yes', 'no']);
    expect(nextOf({ config: { trueNext: 'yes', falseNext: 'yes' } })).toEqual(['yes']);
    expect(nextOf({ config: { trueNext: 'yes' }, next: ['more', 'yes'] })).toEqual(['more', 'yes']);
    expect(nextOf({ config: {} })).toEqual([]);
  });
});
