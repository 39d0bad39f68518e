import { eventHandlers } from './http/events/events.routes.ts';
import type { Handlers } from './http/handler.ts';
import { answer } from './kernel/answer.ts';
import { Refused } from './kernel/refused.ts';
import { accountHandlers, profileHandlers, providerHandlers } from './modules/accounts/accounts.routes.ts';
import { administrationHandlers } from './modules/administration/administration.routes.ts';
import { apiTokenHandlers } from './modules/api-tokens/api-tokens.routes.ts';
import { auditHandlers } from './modules/audit/audit.routes.ts';
import { delegationHandlers } from './modules/delegations/delegations.routes.ts';
import { documentationHandlers } from './modules/documentation/documentation.routes.ts';
import { draftHandlers } from './modules/drafts/drafts.routes.ts';
import { escalationHandlers } from './modules/escalation/escalation.routes.ts';
import { fileHandlers } from './modules/files/files.routes.ts';
import { groupHandlers } from './modules/groups/groups.routes.ts';
import { insightHandlers } from './modules/insights/insights.routes.ts';
import { integrationHandlers } from './modules/integrations/integrations.routes.ts';
import { invitationHandlers } from './modules/invitations/invitations.routes.ts';
import { notificationHandlers } from './modules/notifications/notifications.routes.ts';
import { confirmationHandlers } from './modules/confirmations/decide.ts';
import { membershipHandlers, organizationHandlers } from './modules/organizations/organizations.routes.ts';
import { evidenceHandlers } from './modules/runs/evidence/evidence.routes.ts';
import { runHandlers } from './modules/runs/runs.routes.ts';
import { reviewRouteHandlers } from './modules/organizations/review-routes.ts';
import { workingHoursHandlers } from './modules/organizations/working-hours.ts';
import { taskHandlers } from './modules/tasks/tasks.routes.ts';
import { scriptHandlers } from './modules/scripts/scripts.routes.ts';
import { waitlistHandlers } from './modules/waitlist/waitlist.routes.ts';
import { webhookHandlers } from './modules/webhooks/webhooks.routes.ts';
import { workflowPeopleHandlers } from './modules/workflow-people/workflow-people.routes.ts';
import { workflowHandlers } from './modules/workflows/workflows.routes.ts';

/** The handler of each route in the contract. If a handler is missing, the code doesn't compile. */
export const handlers: Handlers = {
  ...waitlistHandlers,
  ...accountHandlers,
  ...providerHandlers,
  ...profileHandlers,
  ...organizationHandlers,
  ...membershipHandlers,
  ...groupHandlers,
  ...delegationHandlers,
  ...confirmationHandlers,
  ...invitationHandlers,
  ...workflowHandlers,
  ...documentationHandlers,
  ...draftHandlers,
  ...fileHandlers,
  ...evidenceHandlers,
  ...scriptHandlers,
  ...runHandlers,
  ...notificationHandlers,
  ...insightHandlers,
  ...integrationHandlers,
  ...auditHandlers,
  ...administrationHandlers,
  ...apiTokenHandlers,
  ...webhookHandlers,
  ...eventHandlers,
  ...taskHandlers,
  ...workingHoursHandlers,
  ...reviewRouteHandlers,
  ...escalationHandlers,
  ...workflowPeopleHandlers,
  'GET /api/version': async ({ version }) => answer(version),
  'GET /api/health': async () => answer({ status: 'ok' as const }),
  // While the process is starting or stopping, the HTTP layer refuses the request before this runs.
  'GET /api/ready': async (deps) => {
    if (deps.dataDirectoryProblem() !== null) throw new Refused({ code: 'data_directory_unavailable' });
    if (deps.isDiskFull()) throw new Refused({ code: 'disk_full' });
    if (!deps.databaseAnswers()) throw new Refused({ code: 'database_unavailable' });
    return answer({ status: 'ready' as const });
  },
};
