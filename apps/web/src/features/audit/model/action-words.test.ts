import { AUDIT_ACTIONS } from '@stet/domain/audit';
import { expect, it } from 'vitest';
import { ACTION_GROUPS } from './action-words.ts';

it('each action of the audit trail is in exactly one group', () => {
  expect(ACTION_GROUPS.flatMap(({ actions }) => actions).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
});
