import { STEP_SCHEMAS } from '@stet/contract';
import { toBpmn } from '@stet/domain/bpmn';
import { STEP_KINDS, STEP_TYPES, defaultConfig, isServerType } from '@stet/domain/steps';
import { newStep } from '@stet/domain/workflows';
import { describeSteps } from '@stet/presentation/documentation';
import { describe, expect, it } from 'vitest';
import { EXECUTORS } from './execute-step.job.ts';
import { STEP_LANES, waitMsOf } from './lanes.ts';

describe('the types of steps that the server executes', () => {
  const types = STEP_TYPES.filter(isServerType);

  it('each have an executor and a lane, unlike all other types', () => {
    expect(Object.keys(EXECUTORS).toSorted()).toEqual(types.toSorted());
    expect(Object.keys(STEP_LANES).toSorted()).toEqual(types.toSorted());
  });

  it('each have their own task', () => {
    const tasks = types.map((type) => STEP_LANES[type].task);
    expect(new Set(tasks).size).toBe(types.length);
  });

  it('wait only if there is nothing to execute', () => {
    const script = { ...newStep('a', 'automated'), type: 'automated' as const };
    expect(waitMsOf({ ...script, config: defaultConfig('automated') })).toBe(2000);
    expect(waitMsOf({ ...script, config: { script: 'return 1' } })).toBeNull();
    expect(waitMsOf(newStep('a', 'condition'))).toBeNull();
  });
});

describe('every registry', () => {
  it.each(STEP_TYPES)('has an entry for the step type %s if it covers this type', (type) => {
    expect(STEP_KINDS).toHaveProperty(type);
    expect(STEP_SCHEMAS).toHaveProperty(type);
    expect(Object.hasOwn(EXECUTORS, type)).toBe(isServerType(type));
    expect(Object.hasOwn(STEP_LANES, type)).toBe(isServerType(type));
    const step = { ...newStep('a', type), type, config: defaultConfig(type) };
    const { elements } = toBpmn({ metadata: { title: 'W', description: '' }, steps: [step] });
    expect(elements.map(({ kind }) => kind)).toContain(STEP_KINDS[type].bpmn.element);
    expect(describeSteps([step])).toMatchObject([{ step: { type }, number: 1 }]);
  });
});
