import { expect, test } from 'vitest';
import { actionWords, counted } from './words.ts';

test('the words for an action start with a capital letter', () => {
  expect(actionWords('step.completed')).toBe('Step completed');
  expect(actionWords('draft.changes_requested')).toBe('Draft changes requested');
  expect(actionWords('sla.at_risk')).toBe('SLA at risk');
});

test('counts use the singular for one', () => {
  expect([counted(1, 'run'), counted(0, 'run'), counted(2500, 'event')]).toEqual(['1 run', '0 runs', '2,500 events']);
});
