import type { DelegationKind } from '@stet/domain/access';
import type { LossInWords } from '@stet/domain/drafts';
import type { PreferenceKind } from '@stet/domain/notifications';
import type { RunFact } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';

/** Pages for notifications that aren't about a draft, a run or a workflow. */
const PAGES = {
  app: { path: '/app', label: 'Open Stet' },
  audit: { path: '/app/audit', label: 'Open Audit' },
  confirmations: { path: '/app/settings/confirmations', label: 'Open Confirmations' },
  tasks: { path: '/app/tasks', label: 'Open My tasks' },
  members: { path: '/app/settings/members', label: 'Open Members' },
  organization: { path: '/app/settings/organization', label: 'Open the settings' },
  workflows: { path: '/app/workflows', label: 'Open Workflows' },
} as const;

type Kind = {
  /**
   * The kind in the preferences. Null if people can't change it, because it appears only in the list of notifications.
   */
  news: PreferenceKind | null;
  /**
   * The beginning of the email's subject, and the reason why the person gets the email. Null if the kind is never
   * mailed or has its own template.
   */
  mail: { subject: string; reason: string } | null;
  /** The page that the email links to, if it isn't about a draft, run or workflow. */
  page?: keyof typeof PAGES;
};

const MANAGES = 'You received this email because you are an owner or admin of this organization.';
const WORKED_ON = 'You received this email because you have worked on this draft.';

export const KINDS = {
  step_assigned: { news: 'assignments', mail: null },
  step_handed_over: {
    news: 'assignments',
    mail: {
      subject: 'Handed over to you',
      reason: 'You received this email because a step was handed over to you.',
    },
  },
  delegated_step: {
    news: 'assignments',
    mail: {
      subject: 'Delegated to you',
      reason: 'You received this email because you do this work for someone who is away.',
    },
  },
  sla_at_risk: { news: 'sla', mail: null },
  sla_breached: { news: 'sla', mail: null },
  review_requested: {
    news: 'review_requests',
    mail: { subject: 'Review requested', reason: 'You received this email because you can review this draft.' },
  },
  draft_approved: { news: 'decisions', mail: { subject: 'Approved', reason: WORKED_ON } },
  draft_approval_withdrawn: { news: 'decisions', mail: { subject: 'Approval withdrawn', reason: WORKED_ON } },
  draft_changes_requested: { news: 'decisions', mail: { subject: 'Changes requested', reason: WORKED_ON } },
  draft_merged: {
    news: 'decisions',
    mail: {
      subject: 'Merged',
      reason: 'You received this email because you have worked on this draft or can review it.',
    },
  },
  draft_withdrawn: { news: 'decisions', mail: { subject: 'Withdrawn from review', reason: WORKED_ON } },
  draft_discarded: {
    news: 'decisions',
    mail: { subject: 'Draft discarded', reason: 'You received this email because you reviewed this draft.' },
    page: 'workflows',
  },
  confirmation_requested: {
    news: 'review_requests',
    mail: { subject: 'Confirmation needed', reason: MANAGES },
    page: 'confirmations',
  },
  confirmation_decided: {
    news: 'decisions',
    mail: { subject: 'Decided', reason: 'You received this email because you proposed this change.' },
    page: 'confirmations',
  },
  changed_alone: {
    news: 'decisions',
    mail: {
      subject: 'Governance',
      reason:
        'You received this email because everyone in the organization is notified of a change that nobody else confirmed.',
    },
    page: 'organization',
  },
  role_changed: {
    news: 'decisions',
    mail: {
      subject: 'Members',
      reason:
        'You received this email because your role or address was changed or because you are an owner or admin of this organization.',
    },
    page: 'members',
  },
  invitations_revoked: { news: 'decisions', mail: { subject: 'Members', reason: MANAGES }, page: 'members' },
  version_rolled_back: {
    news: 'decisions',
    mail: {
      subject: 'Rolled back',
      reason: 'You received this email because you are an owner of this organization or work with this workflow.',
    },
    page: 'workflows',
  },
  emergency: {
    news: 'decisions',
    mail: {
      subject: 'Emergency',
      reason:
        'You received this email because everyone in the organization is notified when a version goes live without a review.',
    },
    page: 'workflows',
  },
  organization_ending: {
    news: 'decisions',
    mail: {
      subject: 'End of an organization',
      reason: 'You received this email because you are an owner of this organization.',
    },
    page: 'audit',
  },
  trail_broken: { news: 'decisions', mail: { subject: 'Alert', reason: MANAGES }, page: 'audit' },
  findings_failed: { news: 'decisions', mail: { subject: 'Alert', reason: MANAGES } },
  mentioned: {
    news: 'mentions',
    mail: {
      subject: 'You were mentioned',
      reason: 'You received this email because someone mentioned you in a comment or note.',
    },
  },
  note_answered: {
    news: 'mentions',
    mail: {
      subject: 'New note',
      reason: 'You received this email because you have written in this conversation.',
    },
  },
  pause_escalated: {
    news: 'sla',
    mail: {
      subject: 'Still paused',
      reason: 'You received this email because you are responsible for paused runs or started this one.',
    },
  },
  delegation_changed: {
    news: 'assignments',
    mail: {
      subject: 'Delegation',
      reason:
        'You received this email because you do someone’s work, or because owners are notified of delegated decisions.',
    },
    page: 'tasks',
  },
  group_changed: { news: null, mail: null },
  run_failed: { news: null, mail: null },
  run_paused: { news: null, mail: null },
  decided_for_you: { news: null, mail: null },
  message: { news: null, mail: null },
  input_submitted: { news: null, mail: null },
  input_returned: { news: null, mail: null },
} as const satisfies Record<string, Kind>;
export type NotificationKind = keyof typeof KINDS;

/**
 * Kinds that are mailed immediately and separately. All other notifications wait a short time, so that several can
 * share an email.
 */
export const URGENT_KINDS: readonly NotificationKind[] = [
  'sla_at_risk',
  'sla_breached',
  'emergency',
  'trail_broken',
  'findings_failed',
  'organization_ending',
];

export const kindOf = (kind: NotificationKind): Kind => KINDS[kind];

/** Maximum number of lost controls named in a notification. */
const MAX_LOSSES = 3;

export const LIST = new Intl.ListFormat('en-GB');

/** The delegated work and its period, for example `tasks and votes from 2026-11-27 08:00 to 2026-12-04 08:00 (UTC)`. */
export const delegationInWords = ({
  kinds,
  from,
  until,
}: {
  kinds: readonly DelegationKind[];
  from: string;
  until: string;
}): string => {
  const utc = (iso: string): string => iso.slice(0, 16).replace('T', ' ');
  return `${LIST.format(kinds)} from ${utc(from)} to ${utc(until)} (UTC)`;
};

/** The groups that have to approve a draft, as a sentence with a leading space. Empty if there are none. */
export const groupSentence = (names: readonly string[]): string =>
  names.length === 0 ? '' : ` It needs an approval from ${names.map((name) => isolated(name)).join(', ')}.`;

/**
 * The person who approved a draft for each required group, as sentences with a leading space. Empty if there are no
 * groups.
 */
export const approvedForSentence = (groups: readonly { name: string; by: string | null }[]): string =>
  groups.map(({ name, by }) => ` ${by === null ? 'Nobody' : isolated(by)} approved it for ${isolated(name)}.`).join('');

/** The losses as a sentence with a leading space. Empty if there are none. */
export function lossSentence(losses: readonly LossInWords[]): string {
  if (losses.length === 0) return '';
  const named = losses.slice(0, MAX_LOSSES).map(({ sentence }) => sentence);
  const more = losses.length - named.length;
  const count = losses.length === 1 ? 'a control' : `${losses.length} controls`;
  return ` It removes or weakens ${count}: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** Returns `: ` and the reason or, if there is none, the other text. */
export const because = (reason: string | null | undefined, otherwise = '.'): string =>
  reason ? `: ${isolated(reason)}` : otherwise;

/** Maximum number of revoked invitations named in a notification. */
const MAX_REVOKED = 20;

/** `why` is the beginning of the sentence, for example that the sender no longer manages the organization. */
export function revokedSentence(why: string, revoked: readonly { email: string }[]): string {
  const named = revoked.slice(0, MAX_REVOKED).map(({ email }) => email);
  const more = revoked.length - named.length;
  const count = revoked.length === 1 ? '1 pending invitation was' : `${revoked.length} pending invitations were`;
  return `${why}, so ${count} revoked: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Invite them again if they should still join.`;
}

export function crossingSentence(type: RunFact['type'], runName: string, isStep: boolean): string {
  const what = isStep ? `This step in “${isolated(runName)}”` : 'This run';
  if (type === 'sla_at_risk') return `${what} has used 80% of its SLA.`;
  if (type === 'sla_reminded') return `${what} is still overdue.`;
  return `${what} is overdue.`;
}

const STAND_IN_VERBS = {
  step_approved: 'approved',
  step_rejected: 'rejected',
  step_skip_agreed: 'agreed to skip',
  step_skipped: 'skipped',
} as const;

/** The sentence about a decision for the people named by a step. */
export function standInSentence(
  fact: Extract<RunFact, { type: keyof typeof STAND_IN_VERBS }>,
  runName: string,
): string {
  const why = fact.actsFor === 'overdue' ? 'it was long overdue' : 'too few of you could';
  return `${isolated(fact.by.name)} ${STAND_IN_VERBS[fact.type]} this step in “${isolated(runName)}” for you because ${why}.`;
}

type About = { kind: NotificationKind; run_id: string | null; workflow_key: string | null; draft_id: string | null };

/** The page that a notification links to, and the label of its button. Opening the page changes nothing. */
export function notificationPage(
  publicUrl: string,
  { kind, run_id: runId, workflow_key: key, draft_id: id }: About,
): { url: string; label: string } {
  if (key !== null && id !== null)
    return { url: `${publicUrl}/app/review?${new URLSearchParams({ key, id }).toString()}`, label: 'Open the review' };
  if (runId !== null) return { url: `${publicUrl}/app/runs/${runId}`, label: 'Open the run' };
  if (key !== null) return { url: `${publicUrl}/app/docs/${encodeURIComponent(key)}`, label: 'Open the workflow' };
  const { path, label } = PAGES[kindOf(kind).page ?? 'app'];
  return { url: `${publicUrl}${path}`, label };
}
