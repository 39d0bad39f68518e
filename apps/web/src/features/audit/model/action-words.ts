import type { AuditAction, AuditSubject } from '@stet/domain/audit';

/** Each action in words, shown after the actor's name. */
export const ACTION_WORDS = {
  'account.signed_up': 'signed up',
  'account.profile_changed': 'changed profile',
  'account.password_changed': 'changed password',
  'account.password_reset_requested': 'requested password reset',
  'account.password_reset': 'reset password',
  'account.email_change_requested': 'requested change of email address',
  'account.email_changed': 'changed email address',
  'account.address_released': 'released former email address',
  'account.provider_connected': 'connected sign-in provider',
  'account.disabled': 'disabled account',
  'account.enabled': 'enabled account',
  'account.password_allowed': 'allowed password sign-in',
  'account.address_proved': 'proved address',
  'session.signed_in': 'signed in',
  'session.signed_out': 'signed out',
  'session.organization_switched': 'switched organization',
  'organization.created': 'created organization',
  'organization.changed': 'changed organization',
  'member.joined': 'joined',
  'member.role_changed': 'changed role',
  'member.removed': 'removed member',
  'member.confirmed': 'confirmed member',
  'member.left': 'left',
  'group.created': 'created group',
  'group.changed': 'changed group',
  'group.deleted': 'deleted group',
  'delegation.created': 'delegated work',
  'delegation.ended': 'ended delegation',
  'invitation.sent': 'invited',
  'invitation.resent': 'invited again',
  'invitation.revoked': 'revoked invitation',
  'invitation.accepted': 'accepted invitation',
  'escalation.changed': 'changed escalation',
  'confirmation.proposed': 'proposed a change',
  'confirmation.confirmed': 'confirmed a change',
  'confirmation.refused': 'refused a change',
  'confirmation.withdrawn': 'withdrew a change',
  'policy.changed': 'changed policy',
  'policy.change_proposed': 'proposed a new policy',
  'policy.change_refused': 'refused a policy change',
  'policy.change_withdrawn': 'withdrew a policy change',
  'workflow.created': 'created workflow',
  'workflow.tags_changed': 'changed tags',
  'workflow.people_changed': 'changed owners or reviewers',
  'workflow.archived': 'archived workflow',
  'workflow.deleted': 'deleted workflow',
  'draft.created': 'created draft',
  'draft.saved': 'saved draft',
  'draft.imported': 'imported draft',
  'draft.submitted': 'submitted for review',
  'draft.withdrawn': 'withdrew from review',
  'draft.approved': 'approved',
  'draft.approval_dismissed': 'dismissed approval',
  'draft.approval_withdrawn': 'withdrew approval',
  'draft.changes_requested': 'requested changes',
  'draft.commented': 'commented',
  'draft.comment_resolved': 'resolved a comment',
  'draft.comment_reopened': 'reopened a comment',
  'draft.requirements_added': 'added groups that have to approve draft',
  'draft.rebased': 'rebased draft',
  'draft.merged': 'merged',
  'draft.discarded': 'discarded draft',
  'draft.objection_set_aside': 'set aside a request for changes',
  'version.rolled_back': 'rolled back',
  'run.started': 'started run',
  'run.paused': 'paused run',
  'run.pause_escalated': 'run is still paused',
  'run.resumed': 'resumed run',
  'run.completed': 'completed run',
  'run.failed': 'run failed',
  'note.added': 'wrote a note',
  'run.cancelled': 'cancelled run',
  'run.priority_changed': 'changed priority of run',
  'step.activated': 'activated step',
  'step.submitted': 'submitted step',
  'step.returned': 'returned step',
  'step.approved': 'approved step',
  'step.rejected': 'rejected step',
  'step.completed': 'completed step',
  'step.failed': 'step failed',
  'step.skip_agreed': 'agreed to skip step',
  'step.skipped': 'skipped step',
  'step.claimed': 'claimed step',
  'step.released': 'released step',
  'step.handed_over': 'handed step over',
  'step.reset': 'reset step',
  'step.retried': 'retried step',
  'sla.at_risk': 'SLA at risk',
  'sla.breached': 'SLA breached',
  'sla.reminded': 'repeated SLA breach notification',
  'integration.connected': 'connected integration',
  'integration.changed': 'changed integration',
  'integration.disconnected': 'disconnected integration',
  'token.created': 'created API token',
  'token.revoked': 'revoked API token',
  'webhook.created': 'added webhook',
  'webhook.changed': 'changed webhook',
  'webhook.removed': 'removed webhook',
  'webhook.secret_rotated': 'created a new webhook secret',
  'webhook.tested': 'tested webhook',
  'webhook.redelivered': 'sent events again',
  'webhook.delivery_dropped': 'dropped delivery',
  'job.retried': 'retried a job',
  'job.dropped': 'deleted a job',
  'organization.ending': 'scheduled the end of the organization',
  'organization.end_cancelled': 'cancelled the end of the organization',
  'organization.runs_exported': 'exported runs',
  'organization.person_figures_viewed': 'looked at figures by person',
  'session.sign_in_failed': 'counted failed sign-ins',
  'workflow.exported': 'exported workflow',
  'audit.exported': 'exported audit',
  'audit.erased': 'erased personal data',
  'installation.restored': 'restored installation',
  'installation.upgraded': 'upgraded installation',
  'emergency.ratified': 'ratified emergency',
  'token.taken_over': 'took over API token',
} satisfies Record<AuditAction, string>;

export const isAction = (text: string): text is AuditAction => Object.hasOwn(ACTION_WORDS, text);

/** The actions that the list can be filtered by, in groups. */
export const ACTION_GROUPS: readonly { label: string; actions: readonly AuditAction[] }[] = [
  { label: 'Drafts and versions', actions: startingWith('workflow.', 'draft.', 'version.') },
  { label: 'Runs', actions: startingWith('run.', 'step.', 'note.', 'sla.') },
  { label: 'People', actions: startingWith('account.', 'session.', 'member.', 'group.', 'delegation.', 'invitation.') },
  {
    label: 'Organization',
    actions: startingWith(
      'organization.',
      'confirmation.',
      'emergency.',
      'policy.',
      'escalation.',
      'integration.',
      'token.',
      'webhook.',
      'job.',
      'audit.',
      'installation.',
    ),
  },
];

function startingWith(...heads: readonly string[]): AuditAction[] {
  return Object.keys(ACTION_WORDS)
    .filter(isAction)
    .filter((action) => heads.some((head) => action.startsWith(head)));
}

/** The kinds of subjects in words. */
export const SUBJECT_WORDS = {
  workflow: 'Workflows',
  version: 'Drafts and versions',
  run: 'Runs',
  user: 'People',
  group: 'Groups',
  delegation: 'Delegations',
  invitation: 'Invitations',
  organization: 'Organization',
  integration: 'Integrations',
  token: 'API tokens',
  webhook: 'Webhooks',
  audit: 'Audit trail',
} satisfies Record<AuditSubject, string>;

export const isSubject = (text: string): text is AuditSubject => Object.hasOwn(SUBJECT_WORDS, text);

/** An event's action in words. For an unknown action, its name with spaces instead of `.` and `_`. */
export function actionWords(action: string, data: Readonly<Record<string, unknown>> | null): string {
  const words = isAction(action) ? ACTION_WORDS[action] : action.replaceAll(/[._]/g, ' ');
  if (action === 'step.approved' && typeof data?.['votes'] === 'number' && typeof data['required'] === 'number') {
    return data['required'] > 1 ? `${words}, ${data['votes']} of ${data['required']}` : words;
  }
  if (action === 'audit.exported') {
    if (data?.['format'] === 'archive') return 'exported the organization';
    return data?.['format'] === 'ndjson' ? 'exported audit data' : 'exported audit PDF';
  }
  return words;
}
