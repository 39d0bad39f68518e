import type { Delegation } from '@stet/contract';
import { DAY_MS } from '@stet/domain/sla';
import type { Person } from './server.ts';

/** A delegation of tasks to someone for a week from now on, in the format of the request. */
export const absence = (to: Person, change: object = {}): object => ({
  toUserId: to.user.id,
  from: new Date().toISOString(),
  until: new Date(Date.now() + 7 * DAY_MS).toISOString(),
  kinds: ['tasks'],
  reason: 'On holiday',
  ...change,
});

/** Delegates someone's work. By default, delegates their tasks for a week. */
export const delegate = (from: Person, to: Person, change: object = {}): Promise<Delegation> =>
  from.post<Delegation>('/api/delegations', absence(to, change));
