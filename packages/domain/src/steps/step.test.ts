import { describe, expect, it } from 'vitest';
import { newStep } from '../workflows/editor-rows.ts';
import { SCRIPT_CEILING_HINT, SCRIPT_SECONDS } from './automated/automated.ts';
import { SIMULATION } from './automated/simulation.ts';
import { STEP_ELEMENTS } from './kind.ts';
import { refersTo, settingNamed, settingsOf } from './references.ts';
import { STEP_KINDS, STEP_TYPES, type StepReport, defaultConfig, isServerType, reportWords } from './step.ts';

describe('the defaults of steps', () => {
  it('match section 9 of the specification', () => {
    expect(Object.fromEntries(STEP_TYPES.map((type) => [type, STEP_KINDS[type].defaults.sla]))).toEqual({
      manual: '24h',
      approval: '48h',
      automated: '5m',
      condition: '1m',
      notification: '5m',
    });
    expect(STEP_KINDS.manual.defaults.config.assignedRole).toBe('editor');
    expect(STEP_KINDS.approval.defaults.config.minimumApprovers).toBe(1);
    expect(STEP_KINDS.automated.defaults.config.timeout).toBe(300);
    expect(SCRIPT_SECONDS).toEqual({ longestTimeout: 3600, ceiling: 60 });
    expect(SCRIPT_CEILING_HINT).toContain('at most 60 seconds');
    expect(SIMULATION).toEqual({ waitMs: 2000, failureRate: 0.1, reportedMs: { least: 1000, most: 6000 } });
  });

  it.each(STEP_TYPES)('are copied into a new step of type %s', (type) => {
    expect(newStep('a', type).config).toEqual(STEP_KINDS[type].defaults.config);
    expect(newStep('a', type).config).not.toBe(STEP_KINDS[type].defaults.config);
    expect(defaultConfig('notification').channels).not.toBe(STEP_KINDS.notification.defaults.config.channels);
  });
});

describe('the step types', () => {
  it('have one kind each', () => {
    expect(Object.keys(STEP_KINDS)).toEqual([...STEP_TYPES]);
  });

  it.each(STEP_TYPES)('have a name, labels for their settings and a BPMN element (%s)', (type) => {
    const { name, settings, defaults, bpmn } = STEP_KINDS[type];
    expect(name).not.toBe('');
    expect(bpmn.nameless).not.toBe('');
    expect(STEP_ELEMENTS).toContain(bpmn.element);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(defaults.config)));
    for (const [setting, { label }] of settingsOf(type)) expect(settingNamed(setting)?.label).toBe(label);
  });

  it('are each read from their own BPMN elements', () => {
    const readFrom = STEP_TYPES.flatMap((type) => STEP_KINDS[type].bpmn.readFrom);
    expect(new Set(readFrom).size).toBe(readFrom.length);
  });

  it('describe in words how a server step ended', () => {
    const reports = {
      automated: { kind: 'automated', simulated: true, reportedMs: 1500 },
      condition: { kind: 'condition', result: true },
      notification: { kind: 'notification', undeliverable: ['a (slack)'] },
    } as const satisfies { [T in StepReport['kind']]: { kind: T } & StepReport };
    const inWords = (ms: number): string => `${ms} ms`;
    expect(Object.keys(reports)).toEqual(STEP_TYPES.filter(isServerType));
    expect(Object.values(reports).map((report) => reportWords(report, inWords))).toEqual([
      'simulated, 1500 ms',
      'the condition is true',
      'could not be sent to a (slack)',
    ]);
  });
});

describe('the steps that settings name', () => {
  it('are a condition’s branches and the target of a rejection', () => {
    expect(refersTo({ type: 'condition', config: { trueNext: 'a', falseNext: '', condition: 'b' } })).toEqual([
      { setting: 'trueNext', target: 'a', names: 'next' },
    ]);
    expect(refersTo({ type: 'approval', config: { onReject: 'a', assignedRole: 'b' } })).toEqual([
      { setting: 'onReject', target: 'a', names: 'earlier' },
    ]);
    expect(refersTo({ type: 'manual', config: { assignedRole: 'a' } })).toEqual([]);
  });
});
