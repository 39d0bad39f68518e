import { type ContractKey, contract } from '@stet/contract';
import type { Changes } from './audited-scene.ts';
import { CHANGES_OF_ORGANIZATIONS } from './changes-of-organizations.ts';
import { CHANGES_OF_WORK } from './changes-of-work.ts';

/** Each route that changes something: the events that a call has to leave, and such a call. */
export const CHANGES: Changes = { ...CHANGES_OF_ORGANIZATIONS, ...CHANGES_OF_WORK };

/** What belongs to no organization, tells it in the trail of the one it makes, or changes nothing. */
const elsewhere: ContractKey[] = [
  'POST /api/waitlist/signup',
  'POST /api/waitlist/priority-application',
  'POST /api/auth/signup',
  'POST /api/auth/reset-request',
  'POST /api/auth/reset',
  // Need a provider, in whose test they are compared with what they tell.
  'POST /api/auth/oidc/session',
  'POST /api/auth/oidc/connect',
  // What a code proves is told in the trail of whoever proves it.
  'POST /api/auth/prove-address/code',
  'POST /api/auth/prove-address',
  'POST /api/organizations',
  'POST /api/workflow-files/read',
  'POST /api/workflows/script-trial',
  // Changes nothing: a ticket is sealed, not kept, and what it connects is told when the browser comes back with it.
  'POST /api/integrations/slack/tickets',
  // Slack's own call; what was pressed there is done by a job, as the member, and told as theirs.
  'POST /api/integrations/slack/interactivity',
];
export const changing = (Object.keys(contract) as ContractKey[]).filter(
  (key) => !key.startsWith('GET') && !elsewhere.includes(key),
);
