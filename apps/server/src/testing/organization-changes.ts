import { notify } from './notifications.ts';
import { organizationToken, personalToken } from './api-tokens.ts';
import { type Changes, NOWHERE } from './audited-scene.ts';

/** Changes to accounts, to the organization and to its connections. */
export const CHANGES_OF_ORGANIZATIONS: Changes = {
  // Changes nothing in the organization, so the trail doesn't record it.
  'POST /api/audit/verify': [[], async () => ({})],
  'POST /api/auth/login': [
    ['session.signed_in'],
    async (at) => ({ body: { email: at.owner.user.email, password: 'a long enough one' } }),
  ],
  'POST /api/auth/logout': [
    ['session.signed_out'],
    async (at) => {
      const { token } = await at.server.anyone.post<{ token: string }>('/api/auth/login', {
        email: at.editor.user.email,
        password: 'a long enough one',
      });
      return { by: { ...at.editor, ...at.server.as(token) } };
    },
  ],
  'POST /api/users/switch-organization': [
    ['session.organization_switched'],
    async (at) => ({ body: { organizationId: at.orgId } }),
  ],
  'PATCH /api/users/me': [['account.profile_changed'], async (at) => ({ body: { name: `Another ${at.newKey()}` } })],
  'POST /api/users/me/password': [
    ['account.password_changed'],
    async (at) => ({
      body: { currentPassword: 'a long enough one', password: 'another long one' },
      by: await at.member('viewer'),
    }),
  ],
  'DELETE /api/users/me/sessions/{id}': [
    ['session.signed_out'],
    async (at) => {
      await at.server.anyone.post('/api/auth/login', { email: at.editor.user.email, password: 'a long enough one' });
      const sessions = await at.editor.get<{ id: string; current: boolean }[]>('/api/users/me/sessions');
      return { params: { id: sessions.find(({ current }) => !current)?.id ?? '' }, by: at.editor };
    },
  ],
  'PATCH /api/organizations/{id}': [
    ['organization.changed', 'policy.changed'],
    async (at) => {
      await at.server.sql('update organizations set required_approvals = 0 where id = $1', [at.orgId]);
      return { params: { id: at.orgId }, body: { name: 'Renamed', requiredApprovals: 1 } };
    },
  ],
  'PATCH /api/organizations/{id}/working-hours': [
    ['policy.changed'],
    async (at) => ({
      params: { id: at.orgId },
      body: {
        workingHours: {
          timeZone: 'UTC',
          // These working hours postpone no due time, so they take effect immediately.
          week: Array.from({ length: 7 }, () => [{ from: 0, to: 1440 }]),
          holidays: [new Date(at.count() * 86_400_000).toISOString().slice(0, 10)],
        },
      },
    }),
  ],
  'PATCH /api/organizations/{id}/routes': [
    ['policy.changed'],
    async (at) => {
      const slug = at.newKey();
      await at.owner.post('/api/groups', { name: 'Compliance', slug, members: [at.editor.user.id] });
      await at.server.sql("update organizations set review_routes = '[]' where id = $1", [at.orgId]);
      return { params: { id: at.orgId }, body: { routes: [{ if: 'loss', tag: slug, group: slug }] } };
    },
  ],
  'POST /api/groups': [
    ['group.created'],
    async (at) => ({ body: { name: 'Finance', slug: at.newKey(), members: [at.owner.user.id] } }),
  ],
  'PATCH /api/groups/{id}': [
    ['group.changed'],
    async (at) => ({ params: await at.group(), body: { name: 'Accounting', members: [at.editor.user.id] } }),
  ],
  'DELETE /api/groups/{id}': [['group.deleted'], async (at) => ({ params: await at.group() })],
  'POST /api/delegations': [
    ['delegation.created'],
    async (at) => ({ body: at.absence(at.editor), by: await at.member('viewer') }),
  ],
  'DELETE /api/delegations/{id}': [
    ['delegation.ended'],
    async (at) => {
      const by = await at.member('viewer');
      return { params: { id: (await by.post<{ id: string }>('/api/delegations', at.absence(at.editor))).id }, by };
    },
  ],
  'POST /api/webhooks': [
    ['webhook.created'],
    async () => ({ body: { name: 'Listener', url: NOWHERE, actions: ['audit.erased'] } }),
  ],
  'PATCH /api/webhooks/{id}': [
    ['webhook.changed'],
    async (at) => ({
      params: await at.listening(),
      body: { name: 'Other', url: NOWHERE, actions: [], isActive: false },
    }),
  ],
  'DELETE /api/webhooks/{id}': [['webhook.removed'], async (at) => ({ params: await at.listening() })],
  'POST /api/webhooks/{id}/rotate': [['webhook.secret_rotated'], async (at) => ({ params: await at.listening() })],
  'POST /api/webhooks/{id}/test': [['webhook.tested'], async (at) => ({ params: await at.listening() })],
  'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver': [
    ['webhook.redelivered'],
    async (at) => ({ params: await at.listening() }),
  ],
  'POST /api/webhooks/{id}/redeliver': [['webhook.redelivered'], async (at) => ({ params: await at.listening() })],
  'POST /api/tokens': [
    ['token.created'],
    async () => ({ body: { name: 'CI', scopes: ['workflow.read'], expiresInDays: 1 } }),
  ],
  'DELETE /api/tokens/{id}': [
    ['token.revoked'],
    async (at) => ({ params: { id: (await personalToken(at.server, at.owner)).id } }),
  ],
  'POST /api/organizations/{id}/tokens': [
    ['token.created'],
    async (at) => ({
      params: { id: at.orgId },
      body: { name: 'Robot', role: 'editor', scopes: ['workflow.read'], expiresInDays: null },
    }),
  ],
  'DELETE /api/organizations/{id}/tokens/{tokenId}': [
    ['token.revoked'],
    async (at) => ({ params: { id: at.orgId, tokenId: (await organizationToken(at.server, at.owner, 'editor')).id } }),
  ],
  'POST /api/organizations/{id}/policy-change/confirm': [
    ['policy.changed'],
    async (at) => ({ params: { id: at.orgId }, by: await at.proposed(2) }),
  ],
  'DELETE /api/organizations/{id}/policy-change': [
    ['policy.change_refused'],
    async (at) => ({ params: { id: at.orgId }, by: await at.proposed(1) }),
  ],
  'POST /api/confirmations/{id}/confirm': [['policy.changed'], async (at) => at.confirmable(2)],
  'POST /api/confirmations/{id}/refuse': [['policy.change_refused'], async (at) => at.confirmable(1)],
  'PATCH /api/organizations/{id}/users/{userId}': [
    ['member.role_changed'],
    async (at) => ({
      params: { id: at.orgId, userId: (await at.member('viewer')).user.id },
      body: { role: 'editor' },
    }),
  ],
  'DELETE /api/organizations/{id}/users/{userId}': [
    ['member.removed'],
    async (at) => ({ params: { id: at.orgId, userId: (await at.member('viewer')).user.id } }),
  ],
  'POST /api/organizations/{id}/invitations': [
    ['invitation.sent'],
    async (at) => ({ params: { id: at.orgId }, body: { email: `${at.newKey()}@example.com`, role: 'viewer' } }),
  ],
  'POST /api/organizations/{id}/invitations/{invitationId}/resend': [
    ['invitation.resent'],
    async (at) => ({ params: { id: at.orgId, invitationId: (await at.invited()).id } }),
  ],
  'DELETE /api/organizations/{id}/invitations/{invitationId}': [
    ['invitation.revoked'],
    async (at) => ({ params: { id: at.orgId, invitationId: (await at.invited()).id } }),
  ],
  'POST /api/invitations/{token}/accept': [
    ['invitation.accepted', 'account.signed_up', 'member.joined', 'confirmation.proposed'],
    async (at) => ({
      params: { token: (await at.invited()).token },
      body: { name: 'New Here', password: 'oak, ash and thorn' },
    }),
  ],
  'POST /api/invitations/{token}/join': [
    ['invitation.accepted', 'member.joined'],
    async (at) => {
      const guest = await at.server.signUp();
      return { params: { token: (await at.invited(guest.user.email)).token }, by: guest };
    },
  ],
  // Read marks and preferences are personal.
  'POST /api/notifications/{id}/read': [[], async (at) => ({ params: { id: await notify(at.server, at.owner) } })],
  'POST /api/notifications/read': [[], async () => ({})],
  'PATCH /api/notifications/preferences': [
    [],
    async () => ({ body: { news: 'mentions', channel: 'email', pace: 'daily' } }),
  ],
  // A job sends the Slack notification, and Slack isn't connected here.
  'POST /api/integrations/slack/notify': [
    [],
    async () => ({ body: { assignee: 'someone@example.com', message: 'First', workflowName: 'Contract' } }),
  ],
  'PATCH /api/integrations/slack': [
    ['integration.changed'],
    async (at) => {
      await at.connected();
      return { body: { channelId: null } };
    },
  ],
  'DELETE /api/integrations/slack': [
    ['integration.disconnected'],
    async (at) => {
      await at.connected();
      return {};
    },
  ],
};
