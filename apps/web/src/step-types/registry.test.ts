import { STEP_TYPES, isServerType } from '@stet/domain/steps';
import { describe, expect, it } from 'vitest';
import { STEP_PARTS, partsOf } from './registry.ts';

describe('the registry of step types', () => {
  it('contains each type exactly once', () => {
    expect(Object.keys(STEP_PARTS)).toEqual([...STEP_TYPES]);
  });

  it.each(STEP_TYPES)('gives %s its own icon, a purpose and a settings form', async (type) => {
    const { icon, purpose, loadSettings } = STEP_PARTS[type];
    const others = STEP_TYPES.filter((each) => each !== type);
    expect(others.map((each) => STEP_PARTS[each].icon)).not.toContain(icon);
    expect(purpose).not.toBe('');
    expect(await loadSettings()).toBeTypeOf('function');
  });

  it.each(STEP_TYPES)(
    'gives %s a panel if a person performs it, otherwise an activity and an outcome',
    async (type) => {
      const { loadPanel, activity, outcome } = partsOf(type);
      expect([loadPanel === undefined, activity !== undefined, outcome !== undefined]).toEqual(
        Array.from({ length: 3 }, () => isServerType(type)),
      );
      if (loadPanel) expect(await loadPanel()).toBeTypeOf('function');
    },
  );
});
