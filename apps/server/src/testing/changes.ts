import { type ContractKey, contract } from '@stet/contract';
import type { Changes } from './audited-scene.ts';
import { CHANGES_OF_ORGANIZATIONS } from './changes-of-organizations.ts';
import { CHANGES_OF_WORK } from './changes-of-work.ts';

/** Each route that changes something: the events that a call must append, and such a call. */
export const CHANGES: Changes = { ...CHANGES_OF_ORGANIZATIONS, ...CHANGES_OF_WORK };

/** Routes that concern no organization, append to the trail of the one they create, or change nothing. */
const elsewhere: ContractKey[] = [
  'POST /api/waitlist/signup',
  'POST /api/waitlist/priority-application',
  'POST /api/auth/signup',
  'POST /api/auth/reset-request',
  'POST /api/auth/reset',
  // These need a provider; their events are compared in the provider's test.
  'POST /api/auth/oidc/session',
  'POST /api/auth/oidc/connect',
  // A proof by code is recorded in the trail of the person who proves the address.
  'POST /api/auth/prove-address/code',
  'POST /api/auth/prove-address',
  'POST /api/organizations',
  'POST /api/workflow-files/read',
  'POST /api/workflows/script-trial',
  // Changes nothing: a ticket is encrypted, not stored, and the connection is recorded when the browser returns with
  // it.
  'POST /api/integrations/slack/tickets',
  // Called by Slack; a job executes the action as the member, and it is recorded as theirs.
  'POST /api/integrations/slack/interactivity',
];
export const changing = (Object.keys(contract) as ContractKey[]).filter(
  (key) => !key.startsWith('GET') && !elsewhere.includes(key),
);
