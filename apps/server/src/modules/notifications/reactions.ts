import {
  ORG_ROLES,
  PERMISSIONS,
  UNKNOWN_STARTER,
  assignedOrgRole,
  isUnassigned,
  performersOf,
} from '@stet/domain/access';
import type { AuditAction } from '@stet/domain/audit';
import {
  type RunFact,
  namesNow,
  peopleBehind,
  performersIn,
  personBehind,
  starterOf,
  stepStateOf,
  waitingSteps,
} from '@stet/domain/runs';
import { type Step, isPersonStep } from '@stet/domain/steps';
import { isolated } from '@stet/domain/workflows';
import { enqueueJobs } from '../../db/outbox.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { EventOf, RecordedEvent, RunContext, Unrecorded, UnrecordedEvent } from '../../kernel/recorded-event.ts';
import { keyOf } from './deliver-slack.job.ts';
import { closeReviewRequests, closeReviewRequestsOfWorkflow } from './notifications.sql.ts';
import { type Activation, type Notification, type Recipients, enqueueNotifications } from './recipients.ts';
import { enqueueUpdates, enqueueWaiting } from './slack.sql.ts';
import {
  approvedForSentence,
  because,
  crossingSentence,
  delegationInWords,
  groupSentence,
  LIST,
  lossSentence,
  revokedSentence,
  standInSentence,
} from './wording.ts';

type FollowUp =
  | { notify: Notification }
  /** Updates the message about a step to its current state. */
  | { updateInSlack: Activation }
  | { retryInSlack: 'pending messages' }
  /** Mails the owner of this API token, regardless of their preferences. */
  | { mailAboutToken: string }
  /** Closes the requests to review this draft: the requests to the person `of` or, without `of`, all of them. */
  | { closeReviews: string; of?: string }
  /** Closes the requests to review the drafts of this workflow. */
  | { closeReviewsOfWorkflow: string }
  /** Notifications about this draft were deleted with it, so browsers have to reload their counts. */
  | { removedWithDraft: string };

type Followed = AuditAction | keyof Unrecorded;
type EventFor<A extends Followed> = A extends AuditAction
  ? EventOf<A>
  : A extends keyof Unrecorded
    ? { action: A; context: Unrecorded[A] }
    : never;
type Reactions = { [A in Followed]: (event: EventFor<A>) => readonly FollowUp[] };

const none = (): readonly FollowUp[] => [];

/**
 * The consequences of each event, for example notifications with their recipients, closed requests for reviews, or
 * updated messages in Slack. There is one entry per action.
 */
export const REACTIONS: Reactions = {
  'account.signed_up': none,
  'account.profile_changed': none,
  'account.password_changed': none,
  'account.password_reset_requested': none,
  'account.password_reset': none,
  'account.email_change_requested': none,
  'account.email_changed': ({ subject, data, context: { name } }) => [
    {
      notify: {
        source: `email_changed:${newId()}`,
        kind: 'role_changed',
        title: `${isolated(name)} has a new email address`,
        body: `This server’s administrator changed it from ${addressIn(data?.['before'])} to ${addressIn(data?.['after'])}. Workflows that name the old address still mean this person.`,
        to: { userIds: [subject.id], roles: PERMISSIONS['org.manage'] },
      },
    },
  ],
  'account.address_released': ({ subject, data, context: { name } }) => [
    {
      notify: {
        source: `address_released:${newId()}`,
        kind: 'role_changed',
        title: `A former address no longer means ${isolated(name)}`,
        body: `This server’s administrator released ${addressIn(data)}. Workflows that name this address mean the person who gets it next. Everything done so far stays as it is.`,
        to: { userIds: [subject.id], roles: PERMISSIONS['org.manage'] },
      },
    },
  ],
  'account.provider_connected': none,
  'account.disabled': invitationsOfDisabled,
  'account.enabled': invitationsOfDisabled,
  'account.password_allowed': none,
  'account.address_proved': none,
  'session.signed_in': none,
  'session.signed_out': none,
  'session.sign_in_failed': none,
  'session.organization_switched': none,
  'organization.created': none,
  'organization.changed': none,
  'organization.ending': ({ data }) => [
    {
      notify: {
        source: `organization_ending:${newId()}`,
        kind: 'organization_ending',
        title: `This organization ends on ${dayOf(data)}`,
        body: 'This server’s administrator ends it. Until then, it can be read but not changed. Then all its data is deleted: workflows, runs, files and the audit trail. If it should continue, ask the administrator.',
        to: { roles: ['owner'] },
      },
    },
  ],
  'organization.end_cancelled': ({ data }) => [
    {
      notify: {
        source: `organization_ending:${newId()}`,
        kind: 'organization_ending',
        title: 'The end of this organization was cancelled',
        body: `The organization doesn’t end on ${dayOf(data)}, and its members can change it again.`,
        to: { roles: ['owner'] },
      },
    },
  ],
  'organization.runs_exported': none,
  'organization.person_figures_viewed': none,

  'member.joined': none,
  'member.role_changed': ({ actor, subject, context: { name, from, to, revokedInvitations } }) => [
    {
      notify: {
        source: `role_changed:${newId()}`,
        kind: 'role_changed',
        title: `Role changed from ${from} to ${to}`,
        body: `${isolated(actor.name)} changed the role of ${isolated(name)} from ${from} to ${to}.`,
        // If the installation's administrator changed the role, everyone is notified.
        to:
          actor.kind === 'system'
            ? { roles: ORG_ROLES }
            : { userIds: [subject.id], roles: PERMISSIONS['org.manage'], exceptIds: [personOf(actor)] },
      },
    },
    ...invitationsOfFormerManager({ name, revokedInvitations }),
  ],
  'member.removed': ({ context }) => invitationsOfFormerManager(context),
  'member.left': ({ context }) => invitationsOfFormerManager(context),
  'member.confirmed': none,
  'group.created': groupChanged,
  'group.changed': (event) => [
    ...groupChanged(event),
    ...groupLeft(event),
    ...changedAlone(event.actor, event.context),
  ],
  'group.deleted': groupChanged,
  'delegation.created': delegationCreated,
  'delegation.ended': delegationEnded,

  'confirmation.proposed': ({ context }) => [...emergencyOf(context), confirmationRequest(context)],
  'confirmation.confirmed': (event) => [decisionOf(event)],
  'confirmation.refused': (event) => [decisionOf(event)],
  'confirmation.withdrawn': (event) => [decisionOf(event)],
  'emergency.ratified': none,
  'emergency.still_waiting': ({ context: { id, days, sentence, reason, proposerId } }) => [
    {
      notify: {
        source: `emergency_reminder:${id}:${days}`,
        kind: 'confirmation_requested',
        title: 'Emergency, not ratified',
        body: `${sentence} ${isolated(reason)}`,
        to: { roles: PERMISSIONS['org.manage'], exceptIds: [proposerId] },
      },
    },
  ],
  'policy.changed': ({ actor, context }) => [
    ...changedAlone(actor, context),
    ...(context.decided ? [decisionOf({ actor, context: context.decided })] : []),
  ],
  'escalation.changed': ({ actor, context }) => changedAlone(actor, context),
  'policy.change_proposed': ({ context }) => [confirmationRequest(context)],
  'policy.change_refused': (event) => [decisionOf(event)],
  'policy.change_withdrawn': (event) => [decisionOf(event)],

  'invitation.sent': none,
  'invitation.resent': none,
  'invitation.revoked': none,
  'invitation.accepted': none,

  'workflow.created': none,
  'workflow.tags_changed': none,
  'workflow.people_changed': workflowPeopleChanged,
  'workflow.archived': (event) => [{ closeReviewsOfWorkflow: event.subject.id }, ...draftsGone(event, 'archived')],
  'workflow.deleted': (event) => [{ closeReviewsOfWorkflow: event.subject.id }, ...draftsGone(event, 'deleted')],
  'workflow.exported': none,

  'draft.created': none,
  'draft.saved': none,
  'draft.imported': none,
  'draft.submitted': (event) => [
    ofDraft(event, {
      kind: 'review_requested',
      body: `${isolated(event.actor.name)} requested your review.${lossSentence(event.context.losses)}${groupSentence(event.context.groups)}`,
      userIds: event.context.reviewers,
    }),
    ...event.context.delegates.map(({ userId, delegators }) =>
      ofDraft(event, {
        kind: 'review_requested',
        body: `${isolated(event.actor.name)} requested a review from ${LIST.format(delegators.map((name) => isolated(name)))}, and you do their reviews.${lossSentence(event.context.losses)}${groupSentence(event.context.groups)}`,
        userIds: [userId],
      }),
    ),
  ],
  'draft.requirements_added': (event) => [
    ofDraft(event, {
      kind: 'review_requested',
      body: `The requirements of this draft have changed.${groupSentence(event.context.groups)}`,
      userIds: event.context.members,
    }),
  ],
  'draft.withdrawn': (event) => [
    { closeReviews: event.subject.id },
    toContributors(event, 'draft_withdrawn', `${isolated(event.actor.name)} withdrew this draft from review.`),
  ],
  'draft.approved': (event) => {
    const { comment } = event.context;
    const { onBehalfOf } = event.actor;
    const body = `${isolated(event.actor.name)} has approved this draft${forWords(onBehalfOf)}${because(comment.text)}`;
    return [
      { closeReviews: event.subject.id, of: personOf(event.actor) },
      ...(onBehalfOf ? [{ closeReviews: event.subject.id, of: onBehalfOf.id }] : []),
      toContributors(event, 'draft_approved', body),
      othersMentioned(event),
    ];
  },
  'draft.approval_dismissed': none,
  'draft.approval_withdrawn': (event) => [
    toContributors(
      event,
      'draft_approval_withdrawn',
      event.actor.onBehalfOf
        ? `${isolated(event.actor.name)} withdrew the approval of this draft that they gave for ${isolated(event.actor.onBehalfOf.name)}.`
        : `${isolated(event.actor.name)} withdrew their approval of this draft.`,
    ),
  ],
  'draft.changes_requested': (event) => {
    const body = `${isolated(event.actor.name)} has requested changes${forWords(event.actor.onBehalfOf)}: ${isolated(event.context.comment.text)}`;
    return [
      { closeReviews: event.subject.id },
      toContributors(event, 'draft_changes_requested', body),
      othersMentioned(event),
    ];
  },
  'draft.commented': (event) => {
    const { comment, stepTitle } = event.context;
    const where = stepTitle === null ? '' : ` on “${isolated(stepTitle)}”`;
    return [mentionIn(event, where, comment.mentions)];
  },
  'draft.comment_resolved': none,
  'draft.comment_reopened': none,
  'draft.rebased': none,
  'draft.merged': (event) => {
    const { version, losses, approvedFor } = event.context;
    const body = `${isolated(event.actor.name)} has merged this draft: v${version} is live.${lossSentence(losses)}${approvedForSentence(approvedFor)}`;
    // The reviewers are notified too. Otherwise, someone who hasn't seen their request yet might miss a lost control,
    // because the merge closes the request.
    const { draft, reviewers, owners } = event.context;
    const userIds = [...new Set([...draft.contributors, ...reviewers, ...owners])];
    return [{ closeReviews: event.subject.id }, ofDraft(event, { kind: 'draft_merged', body, userIds })];
  },
  // The notification isn't linked to the draft, because it would be deleted with the draft.
  'draft.discarded': ({ actor, subject, context: { title, reviewers, reason } }) => [
    { removedWithDraft: subject.id },
    {
      notify: {
        source: `draft_discarded:${subject.id}`,
        kind: 'draft_discarded',
        title,
        body: `${isolated(actor.name)} discarded a draft that you reviewed${because(reason)}`,
        to: { userIds: reviewers, exceptIds: [personOf(actor)] },
      },
    },
  ],
  'draft.objection_set_aside': ({ actor, context }) => changedAlone(actor, context),
  'version.rolled_back': ({ actor, context: { title, key, change, reason, userIds, emails } }) => [
    {
      notify: {
        source: `version_rolled_back:${newId()}`,
        kind: 'version_rolled_back',
        title,
        body: `${isolated(actor.name)} rolled this workflow back ${change}${because(reason, ', and gave no reason.')}`,
        workflowKey: key,
        to: { roles: ['owner'], userIds, emails, exceptIds: [personOf(actor)] },
      },
    },
  ],

  'run.started': none,
  'run.paused': ofRun(paused),
  'run.pause_escalated': ofRun(pauseEscalated),
  'run.resumed': none,
  'run.completed': none,
  'run.failed': ofRun(runFailed),
  'run.cancelled': ofRun(updateActive),
  'run.priority_changed': none,
  'note.added': noteAdded,
  'step.activated': ofRun(assigned),
  'step.submitted': ofRun(mentioned, approvalAsked, updateStep),
  'step.returned': ofRun(mentioned, inputReturned, updateStep),
  'step.approved': ofRun(mentioned, decidedForOthers),
  'step.rejected': ofRun(mentioned, decidedForOthers, updateStep),
  'step.completed': ofRun(mentioned, messageSent, updateStep),
  'step.failed': ofRun(updateStep),
  'step.skip_agreed': ofRun(mentioned, decidedForOthers),
  'step.skipped': ofRun(mentioned, decidedForOthers, updateStep),
  'step.claimed': ofRun(updateStep),
  'step.released': ofRun(released, updateStep),
  'step.handed_over': ofRun(handedOver, updateStep),
  'step.reset': ofRun(updateStep),
  'step.retried': none,
  'sla.at_risk': ofRun(clockCrossed),
  'sla.breached': ofRun(clockCrossed),
  'sla.reminded': ofRun(clockCrossed),

  'integration.connected': () => [{ retryInSlack: 'pending messages' }],
  'integration.changed': none,
  'integration.disconnected': none,
  'token.created': none,
  'token.revoked': none,
  'token.taken_over': none,
  'webhook.created': none,
  'webhook.changed': none,
  'webhook.removed': none,
  'webhook.secret_rotated': none,
  'webhook.tested': none,
  'webhook.redelivered': none,
  'webhook.delivery_dropped': none,
  'job.retried': none,
  'job.dropped': none,
  'audit.exported': none,
  'audit.erased': none,
  'installation.restored': none,
  'installation.upgraded': none,
  'token.never_expires': ({ context: { id } }) => [{ mailAboutToken: id }],
  'findings.failed': ({ context: { key, id, title, contentHash } }) => [
    {
      notify: {
        source: `findings_failed:${id}:${contentHash}`,
        kind: 'findings_failed',
        title: `The check for lost controls failed: ${isolated(title)}`,
        body: 'An error in Stet prevented the check of this draft. Read every change as if it removed a control, and ask this server’s administrator to report the error in the log.',
        draft: { key, id },
        to: { roles: PERMISSIONS['org.manage'] },
      },
    },
  ],
  'trail.broken': ({ context: { key, sentence } }) => [
    {
      notify: {
        source: `trail_broken:${key}`,
        kind: 'trail_broken',
        title: 'Audit trail is broken',
        body: `${sentence}. Don’t change anything. Open Audit, export the data, and ask this server’s administrator whether someone changed the database.`,
        to: { roles: PERMISSIONS['org.manage'] },
      },
    },
  ],
};

/** The address in the `before` or `after` of an event. */
function addressIn(side: unknown): string {
  return typeof side === 'object' && side !== null && 'email' in side ? String(side.email) : '';
}

/** The day on which the organization of this event ends, for example `2026-12-27`. */
function dayOf(data: { readonly [name: string]: unknown } | null | undefined): string {
  const at = data?.['endsAt'];
  return typeof at === 'string' ? at.slice(0, 10) : '';
}

/**
 * Writes the consequences of events in the transaction that records them. Must be called after all other writes of the
 * transaction. Without a Slack app, no messages are updated.
 */
export function react(
  tx: Tx,
  orgId: string,
  events: readonly (RecordedEvent | UnrecordedEvent)[],
  { hasSlack = true }: { hasSlack?: boolean } = {},
): void {
  const followUps = events.flatMap(reactionTo);
  for (const followUp of followUps) {
    if ('closeReviews' in followUp)
      tx.write(closeReviewRequests, { orgId, draftId: followUp.closeReviews, userId: followUp.of ?? null });
    if ('closeReviewsOfWorkflow' in followUp)
      tx.write(closeReviewRequestsOfWorkflow, { orgId, workflowId: followUp.closeReviewsOfWorkflow });
  }
  enqueueNotifications(
    tx,
    orgId,
    followUps.flatMap((followUp) => ('notify' in followUp ? [followUp.notify] : [])),
    { isSmall: events.every(isOfSmallOrganization) },
  );
  tx.announce(
    followUps.flatMap((followUp) => {
      const id =
        'removedWithDraft' in followUp
          ? followUp.removedWithDraft
          : 'closeReviews' in followUp
            ? followUp.closeReviews
            : 'closeReviewsOfWorkflow' in followUp
              ? followUp.closeReviewsOfWorkflow
              : null;
      return id === null ? [] : [{ subject: 'notification' as const, id }];
    }),
  );
  const changed = followUps.flatMap((followUp) =>
    'updateInSlack' in followUp ? [keyOf({ kind: 'step', ...followUp.updateInSlack })] : [],
  );
  if (hasSlack && changed.length > 0) tx.write(enqueueUpdates, { orgId, keys: [...new Set(changed)] });
  if (followUps.some((followUp) => 'retryInSlack' in followUp)) tx.write(enqueueWaiting, { orgId });
  enqueueJobs(
    tx,
    followUps.flatMap((followUp) =>
      'mailAboutToken' in followUp
        ? [{ task: 'send_token_reminder', payload: { orgId, id: followUp.mailAboutToken } }]
        : [],
    ),
  );
}

const isOfSmallOrganization = ({ context }: RecordedEvent | UnrecordedEvent): boolean =>
  context !== undefined && 'isSmall' in context && context.isSmall;

function reactionTo(event: RecordedEvent | UnrecordedEvent): readonly FollowUp[] {
  // TypeScript can't infer that the reaction in the table is for exactly the events with this action.
  const reaction = REACTIONS[event.action] as (event: RecordedEvent | UnrecordedEvent) => readonly FollowUp[];
  return reaction(event);
}

// Governance -------------------------------------------------------------------------------------------------------

type EventActor = RecordedEvent['actor'];

/** The id of the person responsible for the token, if the actor is a token. Otherwise the actor's id. */
const personOf = ({ id, personId }: EventActor): string => personId ?? id;

/** Notifies the people who were added to a group or removed from it. */
function groupChanged({
  actor,
  context: { name, added, removed },
}: EventFor<'group.created' | 'group.changed' | 'group.deleted'>): FollowUp[] {
  const notification = (title: string, change: string, userIds: readonly string[]): FollowUp => ({
    notify: {
      source: `group_changed:${newId()}`,
      kind: 'group_changed',
      title,
      body: `${isolated(actor.name)} ${change} the group ${isolated(name)}.`,
      to: { userIds, exceptIds: [personOf(actor)] },
    },
  });
  return [
    notification(`You are in ${name}`, 'added you to', added),
    notification(`You are no longer in ${name}`, 'removed you from', removed),
  ];
}

/**
 * Notifies the owners and admins if the end of a membership in the organization takes someone out of a group that is
 * named, or leaves the group empty. The owners of workflows that name it are notified too.
 */
function groupLeft({ actor, context: { name, left } }: EventFor<'group.changed'>): FollowUp[] {
  if (!left || (!left.isLast && left.named === null)) return [];
  const leaver = isolated(left.name);
  const how = left.isRemoved ? `${isolated(actor.name)} removed ${leaver} from` : `${leaver} left`;
  const who = left.isRemoved ? `${leaver} is` : 'they are';
  const which = left.named === null ? '' : `, which ${left.named.words}`;
  return [
    {
      notify: {
        source: `group_left:${newId()}`,
        kind: 'group_changed',
        title: left.isLast ? `Nobody is in ${name} any more` : `${leaver} is no longer in ${name}`,
        body: `${how} the organization, so ${who} no longer in the group ${isolated(name)}${which}. Someone who comes back doesn’t get their groups again.`,
        to: {
          roles: PERMISSIONS['org.manage'],
          userIds: left.named?.ownerIds ?? [],
          exceptIds: [personOf(actor)],
        },
      },
    },
  ];
}

/**
 * Notifies the people who became owners or reviewers of a workflow or no longer are. If a manager made the change
 * alone, also notifies everyone.
 */
function workflowPeopleChanged({ actor, context }: EventFor<'workflow.people_changed'>): FollowUp[] {
  const { key, title, owners, reviewers } = context;
  const notification = (noun: string, userIds: readonly string[], isAdded: boolean): FollowUp => ({
    notify: {
      source: `workflow_people_changed:${newId()}`,
      kind: 'group_changed',
      title: isAdded ? `You are ${noun} of ${isolated(title)}` : `You are no longer ${noun} of ${isolated(title)}`,
      body: `${isolated(actor.name)} changed who is responsible for this workflow.`,
      ...(key !== undefined && { workflowKey: key }),
      to: { userIds, exceptIds: [personOf(actor)] },
    },
  });
  return [
    notification('an owner', owners.added, true),
    notification('a reviewer', reviewers.added, true),
    notification('an owner', owners.removed, false),
    notification('a reviewer', reviewers.removed, false),
    ...changedAlone(actor, context),
  ];
}

/** Notifies the delegate and, if the delegation lends decisions, the owners. */
function delegationCreated({ actor, subject, context }: EventFor<'delegation.created'>): FollowUp[] {
  const { delegator, delegate, reason } = context;
  const [whose, who] = [isolated(delegator.name), isolated(delegate.name)];
  const work = delegationInWords(context);
  const kind = 'delegation_changed';
  const source = `delegation:${subject.id}`;
  const toDelegate: FollowUp = {
    notify: {
      source,
      kind,
      title: `You do the work of ${whose}`,
      body: `${whose} delegates ${work} to you: ${isolated(reason)}`,
      to: { userIds: [delegate.id] },
    },
  };
  const toOwners: FollowUp = {
    notify: {
      source: `${source}:owners`,
      kind,
      title: `${whose} delegates decisions`,
      body: `${whose} delegates ${work} to ${who}: ${isolated(reason)}`,
      to: { roles: ['owner'], exceptIds: [personOf(actor), delegate.id] },
    },
  };
  return context.lendsDecisions ? [toDelegate, toOwners] : [toDelegate];
}

/** Notifies the delegator and the delegate that a delegation has ended early, except the person who ended it. */
function delegationEnded({ actor, subject, context }: EventFor<'delegation.ended'>): FollowUp[] {
  const { delegator, delegate } = context;
  return [
    {
      notify: {
        source: `delegation_ended:${subject.id}`,
        kind: 'delegation_changed',
        title: `${isolated(delegate.name)} no longer does the work of ${isolated(delegator.name)}`,
        body: `${isolated(actor.name)} ended this delegation${actor.id === delegator.id ? '' : ' by changing the members of the organization'}.`,
        to: { userIds: [delegator.id, delegate.id], exceptIds: [personOf(actor)] },
      },
    },
  ];
}

/**
 * Notifies managers of the invitations that were revoked, including the manager who caused this, because they may want
 * to send the invitations again.
 */
const invitationsRevoked = (why: string, revoked: readonly { email: string }[]): FollowUp[] =>
  revoked.length === 0
    ? []
    : [
        {
          notify: {
            source: `invitations_revoked:${newId()}`,
            kind: 'invitations_revoked',
            title: 'Invitations revoked',
            body: revokedSentence(why, revoked),
            to: { roles: PERMISSIONS['org.manage'] },
          },
        },
      ];

type Revoked = EventOf<'member.left'>['context'];

const invitationsOfFormerManager = ({ name, revokedInvitations }: Revoked): FollowUp[] =>
  invitationsRevoked(`${isolated(name)} no longer manages this organization`, revokedInvitations);

function invitationsOfDisabled({ context: { name, revokedInvitations } }: { context: Revoked }): FollowUp[] {
  return invitationsRevoked(
    `This server’s administrator disabled the account of ${isolated(name)}`,
    revokedInvitations,
  );
}

type Proposed = EventOf<'confirmation.proposed'>['context'];

const confirmationRequest = ({ id, proposer, sentence }: Proposed): FollowUp => ({
  notify: {
    source: `confirmation_requested:${id}`,
    kind: 'confirmation_requested',
    title: 'Waiting for a second person',
    body: `${isolated(proposer.name)} asks you to confirm: ${sentence}`,
    to: { roles: PERMISSIONS['org.manage'], exceptIds: [proposer.id] },
  },
});

/** Notifies everyone of a version that has gone live without a review. */
function emergencyOf({ proposer, sentence, emergency }: Proposed): FollowUp[] {
  if (emergency === null) return [];
  const { title, key, reason, isAlone } = emergency;
  const who = isAlone ? ' There is no other owner or admin to ratify it.' : ` ${sentence}`;
  return [
    {
      notify: {
        source: `emergency:${newId()}`,
        kind: 'emergency',
        title,
        body: `Emergency, not ratified: ${isolated(proposer.name)} made a version live without a review.${who} Reason: ${isolated(reason)}`,
        workflowKey: key,
        to: { roles: ORG_ROLES, exceptIds: [proposer.id] },
      },
    },
  ];
}

const DECIDED_VERBS = { confirmed: 'confirmed', refused: 'refused', withdrawn: 'withdrew' } as const;

function decisionOf({
  actor,
  context: { id, proposerId, sentence, status, reason },
}: Pick<EventOf<'confirmation.confirmed'>, 'actor' | 'context'>): FollowUp {
  return {
    notify: {
      source: `confirmation_decided:${id}`,
      kind: 'confirmation_decided',
      title: `Your proposal was ${status}`,
      body: `${isolated(actor.name)} ${DECIDED_VERBS[status]}: ${sentence}${reason ? ` ${isolated(reason)}` : ''}`,
      to: { userIds: status === 'withdrawn' ? [] : [proposerId] },
    },
  };
}

/** Notifies everyone of a change that one manager made alone. */
const changedAlone = (
  actor: EventActor,
  { alone: sentence, key }: EventOf<'escalation.changed'>['context'],
): FollowUp[] =>
  sentence === undefined
    ? []
    : [
        {
          notify: {
            source: `changed_alone:${newId()}`,
            kind: 'changed_alone',
            title: 'Changed without a second person',
            body: `${isolated(actor.name)} made a change that nobody else could confirm: ${sentence}`,
            ...(key !== undefined && { workflowKey: key }),
            to: { roles: ORG_ROLES, exceptIds: [personOf(actor)] },
          },
        },
      ];

// Drafts -----------------------------------------------------------------------------------------------------------

type DraftEvent = Pick<EventOf<'draft.withdrawn'>, 'actor' | 'subject' | 'context'>;
type Notified = { kind: Notification['kind']; body: string; userIds: readonly string[] };

/**
 * A notification about a draft. Each event notifies people once, so resubmitting a draft notifies the reviewers again.
 */
const ofDraft = ({ actor, subject, context: { draft } }: DraftEvent, { kind, body, userIds }: Notified): FollowUp => ({
  notify: {
    source: `${kind}:${newId()}`,
    kind,
    title: draft.title,
    body,
    draft: { key: draft.key, id: subject.id },
    to: { userIds, exceptIds: [personOf(actor)] },
  },
});

/** For example ` for Mara`. Empty if nobody acted as a delegate. */
const forWords = (onBehalfOf: { name: string } | undefined): string =>
  onBehalfOf ? ` for ${isolated(onBehalfOf.name)}` : '';

const toContributors = (event: DraftEvent, kind: Notification['kind'], body: string): FollowUp =>
  ofDraft(event, { kind, body, userIds: event.context.draft.contributors });

type CommentedEvent = Pick<EventOf<'draft.approved'>, 'actor' | 'subject' | 'context'>;

/** The people mentioned in the comment of a decision who aren't already notified of the decision. */
const othersMentioned = (event: CommentedEvent): FollowUp => {
  const { comment, draft } = event.context;
  return mentionIn(
    event,
    '',
    comment.mentions.filter((id) => !draft.contributors.includes(id)),
  );
};

const mentionIn = (event: CommentedEvent, where: string, userIds: readonly string[]): FollowUp =>
  ofDraft(event, {
    kind: 'mentioned',
    body: `${isolated(event.actor.name)} mentioned you${where}: ${isolated(event.context.comment.text)}`,
    userIds,
  });

/** Notifies everyone who has reviewed an open draft that its workflow was archived or deleted. */
const draftsGone = (
  { actor, context: { reviewed, reason } }: Pick<EventOf<'workflow.archived'>, 'actor' | 'context'>,
  verb: 'archived' | 'deleted',
): FollowUp[] =>
  reviewed.map(({ id, title, reviewers }) => ({
    notify: {
      source: `draft_discarded:${id}`,
      kind: 'draft_discarded',
      title,
      body: `${isolated(actor.name)} ${verb} the workflow of a draft that you reviewed${because(reason)}`,
      to: { userIds: reviewers, exceptIds: [personOf(actor)] },
    },
  }));

// Runs -------------------------------------------------------------------------------------------------------------

type RunEvent = RunContext & { runId: string; actor: EventActor };
type RunReaction = (event: RunEvent) => readonly FollowUp[];

function ofRun(...reactions: readonly RunReaction[]) {
  return ({
    actor,
    subject,
    context,
  }: Pick<EventOf<'run.paused'>, 'actor' | 'subject' | 'context'>): readonly FollowUp[] => {
    const event = { runId: subject.id, actor, ...context };
    return reactions.flatMap((reaction) => reaction(event));
  };
}

const stepOf = ({ workflow, fact }: RunEvent): Step | undefined =>
  'stepId' in fact ? workflow.steps.find(({ id }) => id === fact.stepId) : undefined;

function assigned(event: RunEvent): FollowUp[] {
  const { runId, runName, state, fact } = event;
  const step = stepOf(event);
  if (fact.type !== 'step_activated' || !step || !isPersonStep(step)) return [];
  const { stepId, activation } = fact;
  const now = stepStateOf(state, stepId);
  if (now?.state !== 'active' || now.activation !== activation) return [];
  if (state.status !== 'running' && state.status !== 'paused') return [];
  const { title, assignee, type } = step;
  const notification = assignmentOf({
    runId,
    stepId,
    activation,
    title,
    assignee,
    runName,
    startedBy: starterOf(state),
  });
  const words = [`A step in “${isolated(runName)}” is waiting for `, ', and you do their work.'] as const;
  const isApproval = type === 'approval';
  // A manual step that has just become active excludes nobody.
  const to = { ...notification.to, canAct: isApproval };
  return [{ notify: { lent: { kind: isApproval ? 'votes' : 'tasks', words }, ...notification, to } }];
}

/**
 * Returns the notification to everyone whom the assignee names. All of them see it in the application. Only people who
 * are named by address or as the starter get mail, not the members of a role or group. Slack gets a separate message.
 */
export function assignmentOf({
  title,
  assignee,
  runName,
  startedBy,
  ...at
}: Activation & { title: string; assignee: string; runName: string; startedBy: string | null }): Notification {
  const { runId, stepId, activation } = at;
  return {
    source: `assigned:${runId}:${activation}:${stepId}`,
    kind: 'step_assigned',
    title,
    body: `A step in “${isolated(runName)}” is waiting for you.`,
    runId,
    stepId,
    to: { canAct: true, ...recipientsIn(assignee, startedBy) },
    namedOnly: true,
    stepInSlack: at,
    batchForRoles: true,
  };
}

/**
 * The recipients that the text of an assignee names. The role in a step's settings determines who can act, not who is
 * notified (decision 53).
 */
const recipientsIn = (assignee: string, startedBy: string | null): Recipients =>
  recipientsOf(performersOf({ assignee, config: {} }, startedBy));

function recipientsOf({ emails, roles, groups, starter, ids = [] }: ReturnType<typeof performersOf>): Recipients {
  return {
    emails,
    roles,
    groups,
    userIds: [...(starter === null || starter === UNKNOWN_STARTER ? [] : [starter]), ...ids],
  };
}

/** Notifies the person who started a run that it failed, unless they caused the failure. */
function runFailed({ runId, runName, state, fact }: RunEvent): FollowUp[] {
  if (fact.type !== 'run_failed' || personBehind(fact.by) === personBehind(state.startedBy)) return [];
  return [
    {
      notify: {
        source: `failed:${runId}:${fact.at}`,
        kind: 'run_failed',
        title: `${isolated(runName)} has failed`,
        body: `Step failed: ${isolated(fact.reason)}`,
        runId,
        stepId: fact.stepId,
        to: { userIds: [personBehind(state.startedBy)] },
      },
    },
  ];
}

function paused({ runId, runName, state, fact }: RunEvent): FollowUp[] {
  if (fact.type !== 'run_paused') return [];
  return [
    {
      notify: {
        source: `paused:${runId}:${fact.at}`,
        kind: 'run_paused',
        title: `${isolated(runName)} is paused`,
        body: `${isolated(fact.by.name)} paused this run${because(fact.reason, '. No reason was given.')}`,
        runId,
        to: { userIds: [personBehind(state.startedBy)], roles: ['owner'], exceptIds: peopleBehind(fact.by) },
      },
    },
  ];
}

function pauseEscalated({ runId, runName, state, fact }: RunEvent): FollowUp[] {
  if (fact.type !== 'run_pause_escalated') return [];
  return [
    {
      notify: {
        source: `pause_escalated:${runId}:${fact.pausedSince}`,
        kind: 'pause_escalated',
        title: `${isolated(runName)} is still paused`,
        body: 'This run has been paused for more than 7 days. Resume it or cancel it.',
        runId,
        to: { userIds: [personBehind(state.startedBy)], roles: ['owner', 'admin'] },
      },
    },
  ];
}

/** Notifies the people named by a step that someone else decided for them. */
function decidedForOthers(event: RunEvent): FollowUp[] {
  const { runId, runName, state, fact } = event;
  const step = stepOf(event);
  const isDecision =
    fact.type === 'step_approved' ||
    fact.type === 'step_rejected' ||
    fact.type === 'step_skip_agreed' ||
    fact.type === 'step_skipped';
  if (!step || !isDecision || (fact.actsFor !== 'too_few' && fact.actsFor !== 'overdue')) return [];
  return [
    {
      notify: {
        source: `stood_in:${runId}:${fact.stepId}:${fact.activation}:${fact.by.id}:${fact.type}`,
        kind: 'decided_for_you',
        title: step.title,
        body: standInSentence(fact, runName),
        runId,
        stepId: fact.stepId,
        to: { ...recipientsOf(performersIn(state, step)), exceptIds: peopleBehind(fact.by) },
      },
    },
  ];
}

/** Notifies the person or group that a step was handed over to. */
function handedOver(event: RunEvent): FollowUp[] {
  const { runId, runName, fact } = event;
  if (fact.type !== 'step_handed_over') return [];
  const { handedTo: to, by, stepId, activation } = fact;
  return [
    {
      notify: {
        source: `handed_over:${runId}:${activation}:${stepId}:${fact.at}`,
        kind: 'step_handed_over',
        title: stepOf(event)?.title ?? '',
        body: `${isolated(by.name)} handed this step in “${isolated(runName)}” over to ${to.kind === 'group' ? isolated(to.name) : 'you'}: ${isolated(fact.reason)}`,
        runId,
        stepId,
        to: {
          ...(to.kind === 'person' ? { userIds: [to.id] } : { groups: [to.slug] }),
          exceptIds: peopleBehind(by),
        },
        namedOnly: true,
      },
    },
  ];
}

/** Notifies everyone who has the step as a task again, or who will once the run continues. */
function released(event: RunEvent): FollowUp[] {
  const { runId, runName, state, fact } = event;
  if (fact.type !== 'step_released') return [];
  const { holder, stepId, activation } = fact;
  const isRunning = state.status === 'running';
  const { exceptIds = [], ...to } = isRunning ? { haveTask: true } : onceContinued(event);
  return [
    {
      notify: {
        source: `released:${runId}:${activation}:${stepId}:${fact.at}`,
        kind: 'step_handed_over',
        title: stepOf(event)?.title ?? '',
        body: `${isolated(holder.name)} no longer does this step in “${isolated(runName)}”. ${isRunning ? 'It is waiting for you.' : 'It will wait for you once the run continues.'}`,
        runId,
        stepId,
        to: { ...to, exceptIds: [...exceptIds, ...peopleBehind(fact.by), holder.id] },
        namedOnly: true,
      },
    },
  ];
}

/** The people who will have an active step as a task. A paused or failed run has no tasks. */
function onceContinued(event: RunEvent): Recipients {
  const { workflow, state } = event;
  const step = stepOf(event);
  const task = waitingSteps(workflow, { ...state, status: 'running' }).find(({ stepId }) => stepId === step?.id);
  if (!step || !task) return {};
  const performers = performersIn(state, step);
  const to = isUnassigned(performers) ? { roles: PERMISSIONS['step.act_any'] } : recipientsOf(performers);
  return { ...to, exceptIds: task.exceptIds };
}

/** Notifies everyone who can approve the submitted input. */
function approvalAsked(event: RunEvent): FollowUp[] {
  const { runId, runName, fact } = event;
  if (fact.type !== 'step_submitted') return [];
  return [
    {
      notify: {
        source: inputSource(runId, fact),
        kind: 'input_submitted',
        title: stepOf(event)?.title ?? '',
        body: `${isolated(fact.by.name)} asks for your approval in “${isolated(runName)}”.`,
        runId,
        stepId: fact.stepId,
        to: { haveTask: true },
      },
    },
  ];
}

function inputReturned(event: RunEvent): FollowUp[] {
  const { runId, runName, fact } = event;
  if (fact.type !== 'step_returned' || fact.submitterId === undefined) return [];
  return [
    {
      notify: {
        source: inputSource(runId, fact),
        kind: 'input_returned',
        title: stepOf(event)?.title ?? '',
        body: `${isolated(fact.by.name)} has returned your input in “${isolated(runName)}”: ${isolated(fact.comments)}`,
        runId,
        stepId: fact.stepId,
        to: { userIds: [fact.submitterId] },
      },
    },
  ];
}

const inputSource = (runId: string, fact: Extract<RunFact, { type: 'step_submitted' | 'step_returned' }>): string =>
  `${fact.type}:${runId}:${fact.activation}:${fact.stepId}:${fact.at}`;

type Said = Pick<RunEvent, 'runId' | 'runName' | 'actor'> & {
  stepId: string | null;
  stepTitle: string | null;
  comment: NonNullable<RunContext['comment']>;
};

/** Notifies the members mentioned in a comment on a run, except its author. */
const mentionInRun = ({ runId, runName, actor, stepId, stepTitle, comment }: Said): FollowUp => ({
  notify: {
    source: `mentioned:${newId()}`,
    kind: 'mentioned',
    title: stepTitle ?? runName,
    body: `${isolated(actor.name)} mentioned you in “${isolated(runName)}”: ${isolated(comment.text)}`,
    runId,
    stepId,
    to: { userIds: comment.mentions, exceptIds: [personOf(actor)] },
  },
});

function mentioned(event: RunEvent): FollowUp[] {
  const { fact, comment } = event;
  if (!comment || comment.mentions.length === 0) return [];
  const stepId = 'stepId' in fact ? fact.stepId : null;
  return [mentionInRun({ ...event, comment, stepId, stepTitle: stepOf(event)?.title ?? null })];
}

/** Notifies the people mentioned in a note, and the earlier authors of its thread. */
function noteAdded({ actor, subject, data, context }: EventOf<'note.added'>): FollowUp[] {
  const { runName, stepTitle, comment, authors } = context;
  const stepId = typeof data?.['stepId'] === 'string' ? data['stepId'] : null;
  const said = { runId: subject.id, runName, actor, stepId, stepTitle, comment };
  return [
    mentionInRun(said),
    {
      notify: {
        source: `note_answered:${newId()}`,
        kind: 'note_answered',
        title: stepTitle ?? runName,
        body: `${isolated(actor.name)} answered in “${isolated(runName)}”: ${isolated(comment.text)}`,
        runId: subject.id,
        stepId,
        to: { userIds: authors, exceptIds: [personOf(actor), ...comment.mentions] },
      },
    },
  ];
}

/** When a notification step is completed, shows its message in the application. */
function messageSent(event: RunEvent): FollowUp[] {
  const { runId, runName, fact, message } = event;
  const step = stepOf(event);
  if (!message || !step || fact.type !== 'step_completed') return [];
  return [
    {
      notify: {
        source: `message:${runId}:${fact.activation}:${fact.stepId}`,
        kind: 'message',
        title: `${step.title}: ${runName}`,
        body: message.text,
        runId,
        stepId: fact.stepId,
        to: { userIds: message.userIds },
      },
    },
  ];
}

/** Notifies the assignee and, after a breach, the owners, the admins and the people in the workflow's escalation. */
function clockCrossed(event: RunEvent): FollowUp[] {
  const { runId, runName, state, fact, alsoAtBreach = [] } = event;
  if (fact.type !== 'sla_at_risk' && fact.type !== 'sla_breached' && fact.type !== 'sla_reminded') return [];
  const step = stepOf(event);
  const isBreach = fact.type !== 'sla_at_risk';
  // A run has no assignee who could be warned early. So only the run's breach is sent, to the people responsible for
  // runs.
  if (!step && !isBreach) return [];
  const named = recipientsIn(step ? namesNow(state, step).assignee : '', starterOf(state));
  const others = isBreach ? ['owner', 'admin', ...alsoAtBreach] : [];
  const activation = 'activation' in fact ? fact.activation : 0;
  const reminder = fact.type === 'sla_reminded' ? `:${fact.reminders}` : '';
  return [
    {
      notify: {
        source: `${fact.type}:${runId}:${activation}:${fact.stepId ?? ''}${reminder}`,
        kind: isBreach ? 'sla_breached' : 'sla_at_risk',
        title: step?.title ?? runName,
        body: crossingSentence(fact.type, runName, step !== undefined),
        runId,
        stepId: fact.stepId,
        to: {
          ...named,
          emails: [...(named.emails ?? []), ...others.filter((name) => assignedOrgRole(name) === null)],
          roles: [...new Set([...(named.roles ?? []), ...others.flatMap((name) => assignedOrgRole(name) ?? [])])],
        },
        about: { crossing: fact.type },
        batchForRoles: true,
      },
    },
  ];
}

/** Updates the Slack message of the step that the event changed. */
function updateStep(event: RunEvent): FollowUp[] {
  const step = stepOf(event);
  return step ? updateOf(event, step) : [];
}

/** Updates the Slack messages of all waiting steps of a run that was cancelled. */
function updateActive(event: RunEvent): FollowUp[] {
  return event.workflow.steps
    .filter(({ id }) => stepStateOf(event.state, id)?.state === 'active')
    .flatMap((step) => updateOf(event, step));
}

function updateOf({ runId, state }: RunEvent, step: Step): FollowUp[] {
  const now = stepStateOf(state, step.id);
  if (!isPersonStep(step) || !now || now.activation === 0) return [];
  return [{ updateInSlack: { runId, stepId: step.id, activation: now.activation } }];
}
