import { expect, test } from 'vitest';
import { stepOf } from '../workflows/workflow.arbitrary.ts';
import { blockedAsSimulated } from './simulated-steps.ts';

const automated = (id: string, script?: string) =>
  stepOf({ id, type: 'automated', config: script === undefined ? {} : { script } });

test('a merge is blocked by all its simulated steps if the policy refuses them', () => {
  const steps = [automated('a'), automated('b', ' '), automated('c', 'return 1'), stepOf({ id: 'd' })];
  expect(blockedAsSimulated(steps, 'refused')).toEqual([{ code: 'simulated_steps', stepIds: ['a', 'b'] }]);
  expect(blockedAsSimulated(steps, 'allowed')).toEqual([]);
  expect(blockedAsSimulated(steps.slice(2), 'refused')).toEqual([]);
});
