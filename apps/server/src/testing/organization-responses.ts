import { addressCodeTo } from './mailbox.ts';
import { absence } from './delegations.ts';
import { joinOrganization } from './organization.ts';
import type { CreatedToken } from './api-tokens.ts';
import type { Walk } from './workflow-responses.ts';

/** Calls the account routes from sign-up to logout, the health checks, and the route of the version. */
export async function callAccountRoutes({ ask, server }: Walk): Promise<void> {
  const credentials = { email: 'contract@example.com', password: 'oak, ash and thorn' };
  const { token } = await ask<{ token: string }>(server.anyone, 'POST /api/auth/signup', {
    body: { ...credentials, name: 'Con Tract' },
  });
  const newUser = server.as(token);
  const me = await ask<{ currentOrgId: string }>(newUser, 'GET /api/auth/me');
  await ask(newUser, 'POST /api/users/switch-organization', { body: { organizationId: me.currentOrgId } });
  await ask(newUser, 'POST /api/auth/prove-address/code');
  const code = await addressCodeTo(server.dataDir, credentials.email);
  await ask(newUser, 'POST /api/auth/prove-address', { body: { code } });
  await ask(server.anyone, 'POST /api/auth/login', { body: credentials });
  await ask(newUser, 'POST /api/auth/logout');
  await ask(server.anyone, 'GET /api/auth/oidc');
  await ask(server.anyone, 'GET /api/health');
  await ask(server.anyone, 'GET /api/ready');
  await ask(server.anyone, 'GET /api/version');
}

/** Calls the routes of policies, confirmations, members, invitations, profiles, sessions and the waitlist. */
export async function callOrganizationRoutes({ ask, server, owner, reviewer, orgId }: Walk): Promise<void> {
  await ask(owner, 'GET /api/organizations/{id}', { params: orgId });
  await owner.patch(`/api/organizations/${orgId.id}`, { requiredApprovals: 2 });
  const second = await server.signUp();
  await joinOrganization(server, second, orgId.id, 'admin');
  for (const lowered of [1, 0]) {
    await ask(owner, 'PATCH /api/organizations/{id}', { params: orgId, body: { requiredApprovals: lowered } });
    await ask(second, 'GET /api/organizations/{id}', { params: orgId });
    if (lowered === 0) await ask(owner, 'DELETE /api/organizations/{id}/policy-change', { params: orgId });
    else await ask(second, 'POST /api/organizations/{id}/policy-change/confirm', { params: orgId });
  }
  await owner.patch(`/api/organizations/${orgId.id}`, { requiredApprovals: 2 });
  for (const act of ['refuse', 'confirm'] as const) {
    await owner.patch(`/api/organizations/${orgId.id}`, { requiredApprovals: 1 });
    const [waiting] = await ask<{ id: string }[]>(second, 'GET /api/confirmations');
    await ask(second, `POST /api/confirmations/{id}/${act}`, { params: { id: waiting?.id ?? '' } });
  }
  await ask(owner, 'PATCH /api/organizations/{id}', {
    params: orgId,
    body: { name: 'Renamed', requiredApprovals: 2 },
  });
  await server.sql('update organizations set required_approvals = 1 where id = $1', [orgId.id]);
  await ask(owner, 'PATCH /api/organizations/{id}/users/{userId}', {
    params: { ...orgId, userId: reviewer.user.id },
    body: { role: 'reviewer' },
  });
  const invite = (email: string) =>
    ask<{ id: string; link: string }>(owner, 'POST /api/organizations/{id}/invitations', {
      params: orgId,
      body: { email, role: 'viewer' },
    });
  const tokenOf = ({ link }: { link: string }) => ({ params: { token: link.slice(link.lastIndexOf('/') + 1) } });
  const invited = await invite('invited@example.com');
  await ask(owner, 'GET /api/organizations/{id}/invitations', { params: orgId });
  const resent = await ask<{ link: string }>(owner, 'POST /api/organizations/{id}/invitations/{invitationId}/resend', {
    params: { ...orgId, invitationId: invited.id },
  });
  await ask(server.anyone, 'GET /api/invitations/{token}', tokenOf(resent));
  await ask(server.anyone, 'POST /api/invitations/{token}/accept', {
    ...tokenOf(resent),
    body: { name: 'New Here', password: 'oak, ash and thorn' },
  });
  const revoked = await invite('revoked@example.com');
  await ask(owner, 'DELETE /api/organizations/{id}/invitations/{invitationId}', {
    params: { ...orgId, invitationId: revoked.id },
  });
  const guest = await server.signUp();
  await ask(guest, 'POST /api/invitations/{token}/join', tokenOf(await invite(guest.user.email)));
  await ask(owner, 'GET /api/organizations/{id}/users/{userId}/steps', { params: { ...orgId, userId: guest.user.id } });
  await ask(owner, 'DELETE /api/organizations/{id}/users/{userId}', { params: { ...orgId, userId: guest.user.id } });
  const newcomer = await server.signUp();
  await ask(newcomer, 'POST /api/organizations', { body: { name: 'New Team', slug: 'new-team' } });
  await ask(newcomer, 'PATCH /api/users/me', { body: { name: 'Another Name' } });
  const sessions = await ask<{ id: string }[]>(newcomer, 'GET /api/users/me/sessions');
  await ask(newcomer, 'POST /api/users/me/password', {
    body: { currentPassword: 'a long enough one', password: 'another one' },
  });
  await ask(newcomer, 'DELETE /api/users/me/sessions/{id}', { params: { id: sessions[0]?.id ?? '' } });
  await ask(server.anyone, 'GET /api/auth/slug', { query: { slug: 'free' } });
  await ask(server.anyone, 'POST /api/auth/reset-request', { body: { email: guest.user.email } });
  await ask(server.anyone, 'POST /api/waitlist/signup', { body: { email: 'waiting@example.com' } });
  await ask(server.anyone, 'POST /api/waitlist/priority-application', {
    body: { email: 'waiting@example.com', role: 'Founder', frequency: 'Daily' },
  });
  await ask(server.anyone, 'GET /api/waitlist/count');
  await ask(owner, 'GET /api/organizations/{id}/users', { params: orgId });
  await ask(owner, 'GET /api/organizations/{id}/common-assignees', { params: orgId });
}

/** Calls every group route: creates a group, changes it and deletes it. */
export async function callGroupRoutes({ ask, owner, reviewer }: Walk): Promise<void> {
  const body = { name: 'Finance', slug: 'finance', members: [owner.user.id] };
  const { id } = await ask<{ id: string }>(owner, 'POST /api/groups', { body });
  await ask(owner, 'PATCH /api/groups/{id}', { params: { id }, body: { members: [reviewer.user.id] } });
  await ask(reviewer, 'GET /api/groups');
  await ask(owner, 'DELETE /api/groups/{id}', { params: { id } });
}

/** Calls every delegation route: delegates work and ends it. */
export async function callDelegationRoutes({ ask, owner, reviewer }: Walk): Promise<void> {
  const { id } = await ask<{ id: string }>(owner, 'POST /api/delegations', { body: absence(reviewer) });
  await ask(reviewer, 'GET /api/delegations');
  await ask(owner, 'DELETE /api/delegations/{id}', { params: { id } });
}

/** Calls every webhook route: creates a webhook, uses it and deletes it. */
export async function callWebhookRoutes({ ask, server, owner }: Walk): Promise<void> {
  const webhookBody = { name: 'Listener', url: 'https://127.0.0.1:9/', actions: ['run.started'] };
  const { webhook } = await ask<{ webhook: { id: string } }>(owner, 'POST /api/webhooks', { body: webhookBody });
  const onWebhook = { params: { id: webhook.id } };
  await ask(owner, 'PATCH /api/webhooks/{id}', { ...onWebhook, body: { isActive: false } });
  await ask(owner, 'POST /api/webhooks/{id}/rotate', onWebhook);
  const { id: deliveryId } = await ask<{ id: string }>(owner, 'POST /api/webhooks/{id}/test', onWebhook);
  await server.sql(`update webhook_deliveries set state = 'dead', ended_at = now()`);
  await ask(owner, 'GET /api/webhooks');
  await ask(owner, 'GET /api/webhooks/{id}/deliveries', { ...onWebhook, query: { state: 'dead' } });
  await ask(owner, 'POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
    params: { id: webhook.id, deliveryId },
  });
  await ask(owner, 'POST /api/webhooks/{id}/redeliver', onWebhook);
  await ask(owner, 'DELETE /api/webhooks/{id}', onWebhook);
}

/** Calls every API token route: creates, uses and revokes tokens. */
export async function callTokenRoutes({ ask, server, owner, orgId }: Walk): Promise<void> {
  const scopes = ['workflow.read'];
  const personal = { name: 'CI', scopes, expiresInDays: 30 };
  const mine = await ask<CreatedToken>(owner, 'POST /api/tokens', { body: personal });
  await ask(server.as(mine.secret), 'GET /api/auth/me');
  await ask(owner, 'GET /api/tokens');
  await ask(owner, 'DELETE /api/tokens/{id}', { params: { id: mine.token.id } });
  const ours = await ask<CreatedToken>(owner, 'POST /api/organizations/{id}/tokens', {
    params: orgId,
    body: { name: 'Robot', role: 'editor', scopes, expiresInDays: null },
  });
  await ask(server.as(ours.secret), 'GET /api/auth/me');
  await ask(owner, 'GET /api/organizations/{id}/tokens', { params: orgId });
  const ended = { ...orgId, tokenId: ours.token.id };
  await ask(owner, 'DELETE /api/organizations/{id}/tokens/{tokenId}', { params: ended });
}
