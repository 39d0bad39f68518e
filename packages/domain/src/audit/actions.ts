/** What the audit trail can say that someone did (rulings, section 8): `subject.what_happened`, in the past tense. */
export const AUDIT_ACTIONS = [
  'account.signed_up',
  'account.profile_changed',
  'account.password_changed',
  'account.password_reset_requested',
  'account.password_reset',
  'account.provider_connected',
  'session.signed_in',
  'session.signed_out',
  'session.organization_switched',
  'organization.created',
  'organization.changed',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'invitation.sent',
  'invitation.resent',
  'invitation.revoked',
  'invitation.accepted',
  'policy.changed',
  'escalation.changed',
  'policy.change_proposed',
  'policy.change_refused',
  'policy.change_withdrawn',
  'workflow.created',
  'workflow.archived',
  'workflow.deleted',
  'draft.created',
  'draft.saved',
  'draft.imported',
  'draft.submitted',
  'draft.withdrawn',
  'draft.approved',
  'draft.approval_dismissed',
  'draft.changes_requested',
  'draft.commented',
  'draft.comment_resolved',
  'draft.comment_reopened',
  'draft.rebased',
  'draft.merged',
  'draft.discarded',
  'version.rolled_back',
  'run.started',
  'run.paused',
  'run.pause_escalated',
  'run.resumed',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'step.activated',
  'step.submitted',
  'step.returned',
  'step.approved',
  'step.rejected',
  'step.completed',
  'step.failed',
  'step.skip_agreed',
  'step.skipped',
  'step.reset',
  'step.retried',
  'sla.at_risk',
  'sla.breached',
  'sla.reminded',
  'integration.connected',
  'integration.changed',
  'integration.disconnected',
  'token.created',
  'token.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.removed',
  'webhook.secret_rotated',
  'webhook.tested',
  'webhook.redelivered',
  'audit.exported',
  'audit.erased',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type FactOf<Action> = Action extends `${infer Subject}.${infer Happened}` ? `${Subject}_${Happened}` : never;
type ActionOf<Fact> = Fact extends `${infer Subject}_${infer Happened}` ? `${Subject}.${Happened}` : never;

/** The facts of a run that have an action of their own, as the runs room names them: `step_completed`. */
export type AuditedFact = FactOf<Extract<AuditAction, `run.${string}` | `step.${string}` | `sla.${string}`>>;

/**
 * The audit action of a run's fact: `step_completed` is `step.completed`. History and audit are one record seen from two
 * sides (rulings, section 8), so a fact without an action does not compile.
 */
export function actionOfFact<Fact extends AuditedFact>(fact: Fact): ActionOf<Fact> {
  return fact.replace('_', '.') as ActionOf<Fact>;
}
