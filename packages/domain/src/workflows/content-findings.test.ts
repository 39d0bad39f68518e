import { expect, test } from 'vitest';
import type { Step, StepType } from '../steps/index.ts';
import { contentErrors, contentFindings } from './content-findings.ts';
import { newStep } from './editor-rows.ts';
import { TEMPLATES, fromTemplate } from './templates.ts';

const step = (
  type: StepType,
  change: { config?: object; assignee?: string; title?: string; description?: string },
) => ({ ...newStep('s', type), title: 'Decide', description: 'Read it.', ...change });
const codes = (...steps: Step[]) =>
  contentFindings({ metadata: { title: 'Refund', description: '' }, steps }).map(
    ({ severity, code, stepId }) => `${stepId} ${severity} ${code}`,
  );

test.each<[string[], string, Step]>([
  [[], 'a manual step', step('manual', { config: {} })],
  [['s error no_condition', 's error no_branch'], 'a condition without settings', step('condition', { config: {} })],
  [['s error no_condition'], 'a blank condition', step('condition', { config: { condition: ' ', trueNext: 'b' } })],
  [[], 'a condition with one branch', step('condition', { config: { condition: 'true', falseNext: 'b' } })],
  [['s error no_recipients'], 'a notification to nobody', step('notification', { config: { recipients: [' '] } })],
  [
    ['s error unknown_placeholder'],
    'a message with an unknown placeholder',
    step('notification', { config: { recipients: ['editor'], template: '{{run.name}} {{step.title}} {{amount}}' } }),
  ],
  [
    [],
    'a message with the output of a step',
    step('notification', { config: { recipients: ['editor'], template: '{{output.s.text}}' } }),
  ],
  [
    ['s warning approval_for_nobody'],
    'an approval by nobody',
    step('approval', { config: {}, assignee: 'Unassigned' }),
  ],
  [[], 'an approval by a role', step('approval', { config: { assignedRole: 'reviewer' }, assignee: '' })],
  [['s warning no_script'], 'an automated step without a script', step('automated', { config: {} })],
  [['s warning default_text'], 'default texts', newStep('s')],
])('contentFindings returns only %j for %s', (expected, _, tried) => {
  expect(codes(tried)).toEqual(expected);
});

test('a finding says what is missing', () => {
  const [finding] = contentFindings({ metadata: { title: '', description: '' }, steps: [] });
  expect(finding).toEqual({
    severity: 'warning',
    code: 'default_text',
    sentence: 'The workflow has no name.',
    stepId: null,
  });
  const [both] = contentFindings({ metadata: { title: 'Refund', description: '' }, steps: [newStep('s')] });
  expect(both?.sentence).toBe('It still needs a name and a task.');
});

test('every template can be submitted without changes', () => {
  for (const template of TEMPLATES) expect(contentErrors(fromTemplate(template, { timestamp: 1 }))).toEqual([]);
});
