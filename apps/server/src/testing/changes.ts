import { type ContractKey, contract } from '@stet/contract';
import type { Changes } from './audited-scene.ts';
import { CHANGES_OF_ORGANIZATIONS } from './organization-changes.ts';
import { CHANGES_OF_WORK } from './workflow-changes.ts';

/** For each route that changes something: a call, and the events that it must append. */
export const CHANGES: Changes = { ...CHANGES_OF_ORGANIZATIONS, ...CHANGES_OF_WORK };

/**
 * Routes that append nothing to the trail of an existing organization, and routes whose events other tests compare.
 */
const elsewhere: ContractKey[] = [
  'POST /api/waitlist/signup',
  'POST /api/waitlist/priority-application',
  'POST /api/auth/signup',
  'POST /api/auth/reset-request',
  'POST /api/auth/reset',
  // These routes need a provider. `sign-in-by-provider.test.ts` compares their events.
  'POST /api/auth/oidc/session',
  'POST /api/auth/oidc/connect',
  // A proof by code is recorded in the trail of the person's selected organization. It needs a person whose address
  // isn't proved yet.
  'POST /api/auth/prove-address/code',
  'POST /api/auth/prove-address',
  'POST /api/organizations',
  'POST /api/workflow-files/read',
  'POST /api/workflows/script-trial',
  // This route changes nothing, because a ticket isn't stored. The connection is recorded when the browser returns with
  // the ticket.
  'POST /api/integrations/slack/tickets',
  // Slack calls this route. A job executes the action and records it as the member's.
  'POST /api/integrations/slack/interactivity',
];
export const changing = (Object.keys(contract) as ContractKey[]).filter(
  (key) => !key.startsWith('GET') && !elsewhere.includes(key) && contract[key].access !== 'installation',
);
