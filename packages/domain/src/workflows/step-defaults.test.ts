import { describe, expect, it } from 'vitest';
import { newStep } from './editor-rows.ts';
import { defaultConfig, SIMULATION, STEP_DEFAULTS } from './step-defaults.ts';
import { STEP_TYPES } from './step.ts';

describe('defaults of steps', () => {
  it('are those of the specification, section 9', () => {
    expect(Object.fromEntries(STEP_TYPES.map((type) => [type, STEP_DEFAULTS[type].sla]))).toEqual({
      manual: '24h',
      approval: '48h',
      automated: '5m',
      condition: '1m',
      notification: '5m',
    });
    expect(STEP_DEFAULTS.manual.config.assignedRole).toBe('editor');
    expect(STEP_DEFAULTS.approval.config.minimumApprovers).toBe(1);
    expect(STEP_DEFAULTS.automated.config.timeout).toBe(300);
    expect(SIMULATION).toEqual({ waitMs: 2000, failureRate: 0.1, reportedMs: { least: 1000, most: 6000 } });
  });

  it.each(STEP_TYPES)('a new %s step has them, as a copy that can be changed', (type) => {
    expect(newStep('a', type).config).toEqual(STEP_DEFAULTS[type].config);
    expect(newStep('a', type).config).not.toBe(STEP_DEFAULTS[type].config);
    expect(defaultConfig('notification').channels).not.toBe(STEP_DEFAULTS.notification.config.channels);
  });
});
