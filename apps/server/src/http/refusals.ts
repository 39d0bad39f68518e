// All refusals are in one long table, so that their messages can be read and compared in one place.
import type { AddedMark } from '@stet/domain/access';
import { sizeWords } from '@stet/domain/steps';
import { lossKind, rollbackNeedSentence } from '@stet/domain/drafts';
import { isolated } from '@stet/domain/workflows';
import { momentInWords } from '@stet/presentation/moment-in-words';
import type { Refusal, RefusalCode } from '../kernel/refused.ts';
import { problemSentence } from './problem-sentence.ts';

/** A refusal with this code. */
type Of<C extends RefusalCode, R extends Refusal = Refusal> = R extends unknown
  ? C extends R['code']
    ? R
    : never
  : never;
type Entry<C extends RefusalCode> = {
  status: number;
  /** The message for people. */
  sentence: string | ((refusal: Of<C>) => string);
  /** Extra data for programs. */
  details?: (refusal: Of<C>) => unknown[];
};

type AnyEntry = {
  status: number;
  sentence: string | ((refusal: Refusal) => string);
  details?: (refusal: Refusal) => unknown[];
};

const blockers = { details: ({ blockers: all }: { blockers: unknown[] }) => all };
const steps = (refusal: { stepId: string }): unknown[] => [{ stepId: refusal.stepId }];
const stepState = (refusal: { stepId: string; state: string }): unknown[] => [
  { stepId: refusal.stepId, state: refusal.state },
];

const inTime = (seconds: number): string => (seconds <= 90 ? 'in a minute' : `in ${Math.ceil(seconds / 60)} minutes`);

const MORE_HELPERS = 'An owner or admin can let editors help (Settings, Runs) or invite another admin.';

const RETURN_INPUT = 'If nobody else can, reject the input so that someone else enters it again.';

/** Describes the people who can act on a step on which the actor can't act. */
function whoMayAct({
  isApproval,
  assignee,
  editorsMayHelp,
  hasDueTime,
  isByOwnHand,
  nobodyElse,
}: Of<'not_assigned'>): string {
  if (assignee === null)
    return isApproval
      ? 'A reviewer, admin or owner has to decide this step.'
      : 'An editor, admin or owner has to do this step.';
  const assigned = `This step is assigned to ${assignee}.`;
  if (nobodyElse) return `This step is assigned to ${assignee}, and nobody else can decide its input. ${MORE_HELPERS}`;
  if (isByOwnHand)
    return `${assigned} You gave yourself this role less than 7 days ago, or got it from an account that only you vouch for, so you can decide it only if too few of the other approvers can.`;
  if (isApproval)
    return hasDueTime
      ? `${assigned} Owners and admins can decide it only if too few of the approvers can, or once it is overdue by 24 working hours.`
      : `${assigned} Owners and admins can decide it only if too few of the approvers can. It has no due time, so ask the approvers to approve or reject it.`;
  return editorsMayHelp
    ? `${assigned} Editors, admins and owners can help.`
    : `${assigned} Admins and owners can help.`;
}

const NO_CERTIFICATE = {
  broken_trail: 'The audit trail has a problem, so no certificate can be issued. Open Audit to see the problem.',
  altered: 'The content of this version differs from what was merged, so no certificate can be issued.',
  unrecorded: 'The audit trail does not contain the merge of this version, so no certificate can be issued.',
};

const NOT_THERE = {
  route: 'There is nothing at this address',
  workflow: 'Workflow not found',
  draft: 'Draft not found',
  comment: 'Comment not found',
  review: 'You have not reviewed this draft yet',
  approval: 'You have not approved this draft, or have withdrawn your approval',
  own_review: 'You have no review with this id',
  version: 'Version not found',
  run: 'Run not found',
  file: 'File not found',
  preview: 'This file has no preview',
  organization: 'Organization not found',
  group: 'This group no longer exists',
  delegation: 'This delegation has already ended',
  account: 'There is no such account',
  job: 'This job isn’t in the queue, or is being executed',
  member: 'This person is not a member of the organization',
  invitation: 'This invitation link may have expired or been revoked.',
  session: 'This session has already ended',
  token: 'This API token no longer exists',
  webhook: 'This webhook no longer exists',
  delivery: 'There is no delivery with this id to send again',
  notification: "This notification doesn't exist",
  slack: 'This organization is not connected to Slack',
  slack_app: "Slack isn't set up on this server",
  slack_channel: "This Slack channel doesn't exist",
  confirmation: 'There is nothing to confirm with this id',
  objection: 'This person has no open request for changes on this draft',
  identity_provider: 'This server allows sign-in by password only',
} as const;

/**
 * Names the first workflow that prevents the deletion of a group, with the places that name the group, and counts the
 * other workflows.
 */
function groupInUse({ name, workflows }: Of<'group_in_use'>): string {
  const [first, ...others] = workflows;
  if (!first) return `${isolated(name)} is still in use`;
  const places = [
    ...(first.isLive ? ['its live version'] : []),
    ...(first.drafts > 0 ? [first.drafts === 1 ? 'a draft' : `${first.drafts} drafts`] : []),
    ...(first.runs > 0 ? [first.runs === 1 ? 'an open run' : `${first.runs} open runs`] : []),
  ];
  const more =
    others.length === 0 ? '' : ` and ${others.length} more ${others.length === 1 ? 'workflow' : 'workflows'}`;
  return `Steps of ${isolated(first.title)} (${places.join(', ')})${more} are assigned to ${isolated(name)}. Assign them to someone else first.`;
}

/** Describes a problem in a file with its position, for example `Line 4, column 3: …`. */
const placed = ({ line, column, problem }: { line: number | null; column: number | null; problem: string }): string =>
  line === null ? problem : `Line ${line}, column ${column ?? 1}: ${problem}`;

const STRICT =
  'This organization uses strict reviews, so your approval doesn’t count, but you can reject the step. Someone else has to approve it: another approver or, if there are too few, an owner or admin.';
const STRICT_WORK = `${STRICT} If nobody can, reject the step. After a retry, the previous work is done again.`;
const ADD_AGAIN =
  'Without strict reviews, it counts once an owner or admin who had no part in that work removes you from the group and adds you again, or confirms you. They can also approve the step themselves if there are too few other approvers. With strict reviews, the previous work is done again after a rejection.';
const GIVE_AGAIN =
  'Without strict reviews, it counts once an owner or admin who had no part in that work gives you the role again, or confirms you. They can also approve the step themselves if there are too few other approvers. With strict reviews, the previous work is done again after a rejection.';

/**
 * For each reason why an approval doesn't count because of who gave the actor a membership or role: the explanation,
 * and what the actor can do.
 */
const ADDED: Record<AddedMark, (addedBy: string) => string> = {
  added_by_doer: (addedBy) =>
    `${addedBy} added you to the group, and the previous work is theirs. So your approval doesn’t count, but you can reject the step. ${ADD_AGAIN}`,
  added_by_appointee: (addedBy) =>
    `${addedBy} added you to the group. After this run had started, ${addedBy} got a role from someone who did the previous work, handed it over, or alone confirmed an account that did. So your approval doesn’t count, but you can reject the step. ${ADD_AGAIN}`,
  added_by_giver: (addedBy) => `${addedBy} added you to the group, and handed the previous work over. ${STRICT_WORK}`,
  added_by_voucher: (addedBy) =>
    `${addedBy} added you to the group. An account that did the previous work or handed it over hasn’t proved its address, and only ${addedBy} has confirmed it. ${STRICT_WORK}`,
  added_by_vouched: (addedBy) =>
    `${addedBy} added you to the group, and hasn’t proved their address. Only one person has confirmed ${addedBy}, directly or through others: someone who did the previous work, handed it over, or alone confirmed an account that did. ${STRICT_WORK}`,
  added_during_run: (addedBy) => `You were added to the group during this run by ${addedBy || 'someone'}. ${STRICT}`,
  role_by_doer: (givenBy) =>
    `${givenBy} gave you your role after this run had started, and the previous work is theirs. So your approval doesn’t count, but you can reject the step. ${GIVE_AGAIN}`,
  role_by_appointee: (givenBy) =>
    `${givenBy} gave you your role. After this run had started, ${givenBy} got a role from someone who did the previous work, handed it over, or alone confirmed an account that did. So your approval doesn’t count, but you can reject the step. ${GIVE_AGAIN}`,
  role_by_giver: (givenBy) =>
    `${givenBy} gave you your role after this run had started, and handed the previous work over. ${STRICT_WORK}`,
  role_by_voucher: (givenBy) =>
    `${givenBy} gave you your role after this run had started. An account that did the previous work or handed it over hasn’t proved its address, and only ${givenBy} has confirmed it. ${STRICT_WORK}`,
  role_by_vouched: (givenBy) =>
    `${givenBy} gave you your role after this run had started, and hasn’t proved their address. Only one person has confirmed ${givenBy}, directly or through others: someone who did the previous work, handed it over, or alone confirmed an account that did. ${STRICT_WORK}`,
  role_during_run: (givenBy) => `You got your role during this run from ${givenBy || 'someone'}. ${STRICT}`,
};

/** The same reasons without a name, if the approval is refused only because of its mark. */
const ADDED_UNDER_STRICT: Record<AddedMark, string> = {
  added_by_doer: `The person who added you to the group did the previous work, or it counts as theirs. ${STRICT_WORK}`,
  added_by_appointee: `After this run had started, the person who added you to the group got a role from someone who did the previous work, handed it over, or alone confirmed an account that did. ${STRICT_WORK}`,
  added_by_giver: `Someone who handed the previous work over added you to the group. ${STRICT_WORK}`,
  added_by_voucher: `An account that did the previous work or handed it over hasn’t proved its address, and only the person who added you to the group has confirmed it. ${STRICT_WORK}`,
  added_by_vouched: `The person who added you to the group hasn’t proved their address. Only one person has confirmed them, directly or through others: someone who did the previous work, handed it over, or alone confirmed an account that did. ${STRICT_WORK}`,
  added_during_run: `You were added to the group during this run. ${STRICT}`,
  role_by_doer: `The person who gave you your role after this run had started did the previous work, or it counts as theirs. ${STRICT_WORK}`,
  role_by_appointee: `After this run had started, the person who gave you your role got one from someone who did the previous work, handed it over, or alone confirmed an account that did. ${STRICT_WORK}`,
  role_by_giver: `Someone who handed the previous work over gave you your role after this run had started. ${STRICT_WORK}`,
  role_by_voucher: `An account that did the previous work or handed it over hasn’t proved its address, and only the person who gave you your role after this run had started has confirmed it. ${STRICT_WORK}`,
  role_by_vouched: `The person who gave you your role after this run had started hasn’t proved their address. Only one person has confirmed them, directly or through others: someone who did the previous work, handed it over, or alone confirmed an account that did. ${STRICT_WORK}`,
  role_during_run: `You got your role during this run. ${STRICT}`,
};

const VOUCHED =
  'This organization uses strict reviews. Your account, that of the person you decide for, or that of someone who handed the approval over to you hasn’t proved its address, and the only owner or admin who has confirmed it';

const NOT_COUNTED: Record<string, string> = {
  ...ADDED_UNDER_STRICT,
  proof:
    'Prove your address first: enter the code we emailed you, or ask an owner or admin other than the person who invited you to confirm you.',
  address_not_proved:
    'Your approval won’t count until your address is proved: enter the code we emailed you, or ask an owner or admin to confirm you. It must be someone who didn’t invite you, didn’t edit this draft and wasn’t added by its authors.',
  added_after_first_save:
    'One of this draft’s authors made you a reviewer after it was first saved. Another owner or admin has to confirm you first.',
  delegate_added_after_first_save:
    'One of this draft’s authors made you a member after it was first saved, so you can’t review it for someone else. Another owner or admin has to confirm you first, or someone else reviews it.',
  delegator:
    'You can’t approve this draft for this person: they worked on it, or their own approval wouldn’t count either. Ask someone else to review it.',
  behind_the_author:
    'An account that you invited edited this draft before its address was proved, or a token that you created did. That also counts as your work, so ask someone else to review this draft. If this applies to everyone who could, all but one of you have to edit the draft, and then the last one can approve it. With strict reviews, someone else has to review it.',
  strict:
    'This organization uses strict reviews: your approval would carry a mark, so it wouldn’t count. If an author added you, ask another owner or admin to confirm you.',
  vouched_by_doer: `${VOUCHED} did the previous work or handed it over. Prove the address first, or you reject the step, and then someone else does that work again.`,
  vouched_by_voter: `${VOUCHED} voted before you. Prove the address first, or someone else approves the step instead. If too few others can, an owner or admin can. If nobody can, reject it. If the approval was handed over to you, release the step first.`,
  handed_work_over:
    'You handed the previous work over to the person who did it. This organization uses strict reviews, so your approval doesn’t count. You can reject the step, and then the work is done again.',
  by_api_token: 'This organization uses strict reviews: sign in to review. Reviews by API token don’t count.',
  self_approval: 'Until recently, someone else could have reviewed this draft, so you can’t approve your own work yet.',
  same_person: 'Their actions also count as yours, so another owner or admin has to confirm this.',
  about_you: 'This is about you, so another owner or admin has to confirm it.',
  proposer_gone:
    'The person who proposed this no longer has the permission, or their account is disabled. Refuse it, or propose it yourself.',
  not_proved: 'Prove your address first, then you can confirm this.',
  founder_not_proved: 'Prove your address first, then you can confirm this.',
  proposer_not_proved:
    'The person who proposed this has to prove their address first. A new member can prove their own address, or be removed and invited again by you.',
  proposer_left_unproved:
    'The person who proposed this left without proving their address, or can’t prove it because their account is disabled, so nobody can confirm it. If it is an emergency, refuse it, and then roll back or review a new version. If it is about a member, change their role, or remove them and invite them again: this creates a new request.',
  vouched: 'One of you is vouched for only by the other, so another owner or admin has to confirm this.',
  second_manager: 'Until recently, another owner or admin could have confirmed this, so you can’t decide it alone yet.',
  made_manager_lately: 'The person who proposed this made you an owner or admin less than 7 days ago.',
  made_proposer_lately: 'You made the person who proposed this an owner or admin less than 7 days ago.',
};

/**
 * Says why strict review prevents someone from deciding after an account whose address isn't proved, and how to fix
 * that.
 */
function unprovedBefore(missing: string, names: readonly string[]): string {
  const isVote = missing === 'voter_not_proved';
  const before = isVote ? 'an earlier vote' : 'the previous work';
  const whose = names.length === 1 ? 'whose address isn’t proved' : 'whose addresses aren’t proved';
  const instead = isVote
    ? 'someone else approves the step instead. If nobody can, you reject it'
    : 'you reject the step, and then someone else does that work again';
  return `This organization uses strict reviews, and ${before} is that of ${names.join(' and ')}, ${whose}. They have to prove it first, or ${instead}.`;
}

/**
 * The part of a sentence that says why another account's action counts as the reader's: they invited that account and
 * its address isn't proved, or both share a mailbox.
 */
const countsAsYours = 'their actions also count as yours, since you invited them or share a mailbox. Someone else';

const WHY_BARRED = {
  has_voted: 'they have already voted',
  has_handed_over: 'they have handed their own approval over',
  did_work: 'the previous work is theirs or counts as theirs',
  giver_did_work: 'the previous work may count as yours, and they would decide in your place',
};

const STEP_NOT_ACTIVE: Partial<Record<string, string>> = {
  waiting: 'This step has not started yet',
  failed: 'This step has already failed',
};

/** Every refusal with its status and message. If one is missing, this file doesn't compile. */
export const REFUSALS: { [C in RefusalCode]: Entry<C> } = {
  invalid: {
    status: 400,
    sentence: ({ problems: [first] }) => (first ? problemSentence(first) : 'The request is not valid'),
    details: ({ problems }) => problems,
  },
  invalid_workflow: {
    status: 400,
    sentence: ({ problems }) => problems[0]?.problem ?? 'Invalid workflow format',
    details: ({ problems }) => problems,
  },
  content_incomplete: {
    status: 409,
    sentence: ({ problems: [first] }) => first?.problem ?? 'The workflow is incomplete',
    details: ({ problems }) => problems,
  },
  invalid_file: {
    status: 400,
    sentence: ({ problems: [first] }) => (first ? placed(first) : 'Invalid workflow format'),
    details: ({ problems }) => problems,
  },
  malformed_request: { status: 400, sentence: "The request can't be read" },
  input_required: { status: 400, sentence: 'Please provide input for this manual step', details: steps },
  invalid_fields: {
    status: 400,
    sentence: ({ problems }) => problems[0]?.problem ?? 'The input of this step is not valid',
    details: ({ problems, stepId }) =>
      problems.map((each) => ({ stepId, ...each, field: `output.fields.${each.fieldId}` })),
  },
  comments_required: { status: 400, sentence: 'Comments are required when rejecting', details: steps },
  comment_required: { status: 400, sentence: 'Comment required to request changes' },
  reason_required: {
    status: 400,
    sentence: 'Please give a reason',
    details: (refusal) => ('stepId' in refusal ? [{ stepId: refusal.stepId }] : []),
  },
  stand_in_reason_required: {
    status: 400,
    sentence: 'This step is assigned to others. Explain in a comment why you are deciding it for them.',
    details: steps,
  },

  not_signed_in: { status: 401, sentence: 'Please log in' },
  session_ended: { status: 401, sentence: 'Your session has ended. Please log in again.' },
  token_ended: { status: 401, sentence: 'This API token is unknown, expired or revoked.' },
  bad_credentials: { status: 401, sentence: 'Wrong email or password' },

  not_from_slack: { status: 401, sentence: "This call doesn't have a valid Slack signature" },

  account_disabled: { status: 403, sentence: 'This account is disabled. Ask the administrator of this installation.' },
  password_sign_in_off: {
    status: 403,
    sentence: ({ label }) => `People sign in here with ${label}, not with a password. Choose "Continue with ${label}".`,
    details: ({ label }) => [{ label }],
  },
  organization_ends: {
    status: 403,
    sentence:
      'This organization ends soon, so it can be read but not changed. If it should continue, ask this server’s administrator.',
  },
  sign_up_closed: {
    status: 403,
    sentence: ({ domains }) =>
      domains.length === 0
        ? 'Sign-up is closed. Ask an owner or admin for an invitation.'
        : `Only addresses at ${domains.join(', ')} can sign up here. If yours is different, ask an owner or admin for an invitation.`,
    details: ({ domains }) => [{ domains }],
  },
  forbidden: { status: 403, sentence: "You don't have permission to do this in this organization." },
  token_scope: {
    status: 403,
    sentence: ({ permission }) => `This API token doesn't have the permission ${permission}.`,
    details: ({ permission }) => [{ permission }],
  },
  not_for_tokens: {
    status: 403,
    sentence: ({ needsSecondPerson }) =>
      needsSecondPerson
        ? 'This change needs a second owner or admin, so a person has to make it, not an organization’s token. Please sign in.'
        : 'API tokens can’t do this. Please sign in.',
  },
  help_not_asked: {
    status: 409,
    sentence: ({ assignee }) => `This step is for ${assignee}. To help, complete it on the run’s page`,
    details: steps,
  },
  not_assigned: { status: 403, sentence: whoMayAct, details: steps },
  added_during_run: {
    status: 403,
    sentence: ({ addedBy, mark }) => ADDED[mark](addedBy),
    details: steps,
  },
  cannot_hand_over: {
    status: 403,
    sentence: ({ isApproval }) =>
      isApproval
        ? 'Only a person whom an approval names can hand it over'
        : 'Only the people who have this step, owners and admins can hand it over or release it',
    details: steps,
  },
  handed_to_oneself: {
    status: 400,
    sentence: 'Choose someone other than yourself',
    details: ({ stepId }) => [{ field: 'to', stepId }],
  },
  approval_to_group: {
    status: 400,
    sentence: 'An approval can be handed over only to one person',
    details: ({ stepId }) => [{ field: 'to', stepId }],
  },
  approval_handed_over: {
    status: 409,
    sentence: ({ name }) =>
      `This approval was handed over to ${isolated(name)}, who decides it instead. The account that handed it over can take it back.`,
    details: steps,
  },
  already_claimed: { status: 409, sentence: ({ name }) => `${isolated(name)} already has this step`, details: steps },
  already_theirs: {
    status: 409,
    sentence: ({ name }) => `${isolated(name)} already has this step`,
    details: ({ stepId }) => [{ field: 'to', stepId }],
  },
  not_claimed: { status: 409, sentence: 'Nobody has claimed this step', details: steps },
  hand_over_barred: {
    status: 409,
    sentence: ({ name, why }) =>
      `${isolated(name)} can’t approve this step, because ${WHY_BARRED[why]}. Choose someone else.`,
    details: ({ stepId }) => [{ field: 'to', stepId }],
  },
  rejected_cannot_retry: {
    status: 403,
    sentence: 'Your own work was rejected here. Someone else who can control runs has to retry it.',
    details: steps,
  },
  token_merges_reviewed: {
    status: 403,
    sentence: 'An organization’s token can only merge approved drafts, and this organization requires no approvals.',
  },
  emergency_needs_owner: { status: 403, sentence: 'Only an owner can make a version live without a review' },
  owners_only: { status: 403, sentence: 'Only an owner can add, change or remove an owner' },
  proposer_cannot_confirm: {
    status: 403,
    sentence: 'You proposed this yourself, so another owner or admin has to confirm it.',
  },
  wrong_account: {
    status: 403,
    sentence: ({ invited }) => `This invitation is for ${invited}, but you are signed in with a different email`,
  },
  wrong_password: { status: 403, sentence: 'The current password is wrong' },
  not_a_member: { status: 403, sentence: 'You are not a member of this organization' },
  contributor_cannot_approve: {
    status: 403,
    sentence: 'You contributed to this draft, so someone else has to review it',
  },
  not_your_draft: {
    status: 403,
    sentence:
      'Only people who edited a draft can discard it. Once it has been reviewed, only its author, an owner or an admin can',
  },
  own_submission: {
    status: 403,
    sentence: ({ through, nobodyElse, canReject }) => {
      if (nobodyElse)
        return `You can’t approve your own input, and nobody else can at the moment. ${MORE_HELPERS}${canReject ? ` ${RETURN_INPUT}` : ''}`;
      if (through === undefined) return 'Someone else has to approve your input';
      const sentence = `${through} entered the input, and ${countsAsYours} has to approve it`;
      return canReject ? `${sentence}. ${RETURN_INPUT}` : sentence;
    },
    details: steps,
  },
  separate_from: {
    status: 403,
    sentence: ({ through, canReject }) => {
      if (through === undefined) return 'You completed the previous step, so someone else has to approve';
      const sentence = `${through} completed the previous step, and ${countsAsYours} has to approve`;
      return canReject
        ? `${sentence}. If nobody else can, ask an owner or admin to make another member an admin, or reject the step so that someone else does the work again. ${through} can do it again if you invited them and they have proved their address in the meantime.`
        : sentence;
    },
    details: steps,
  },

  not_found: { status: 404, sentence: ({ what }) => NOT_THERE[what] },
  not_in_force: {
    status: 404,
    sentence: ({ firstLiveAt, archivedAt }) =>
      firstLiveAt === null
        ? 'No version of this workflow has ever been live'
        : archivedAt === null
          ? `No version was in force then. The first one went live on ${momentInWords(new Date(firstLiveAt))}.`
          : `No version was in force then. The workflow was archived on ${momentInWords(new Date(archivedAt))}.`,
    details: ({ firstLiveAt, archivedAt }) => [{ firstLiveAt, archivedAt }],
  },
  link_expired: { status: 404, sentence: 'This link has expired or was already used. Please request a new one.' },
  unknown_step: { status: 404, sentence: 'This run has no such step', details: steps },

  organization_changed: {
    status: 409,
    sentence: 'You selected a different organization in another tab or window. Nothing was changed.',
  },
  no_organization: { status: 409, sentence: 'No organization selected.' },
  address_unavailable: {
    status: 409,
    sentence: 'This address can no longer be used. Ask the administrator of this installation.',
  },
  email_taken: { status: 409, sentence: 'An account with this email already exists' },
  sign_in_expired: { status: 409, sentence: 'This sign-in took too long or was already used. Please try again.' },
  account_to_connect: {
    status: 409,
    sentence: ({ email }) =>
      `An account with the email ${email} already exists. Log in with its password once to connect the two.`,
    details: ({ email }) => [{ email }],
  },
  account_exists: { status: 409, sentence: 'You already have an account with this email. Please sign in to accept.' },
  already_member: { status: 409, sentence: 'This person is already a member' },
  already_invited: { status: 409, sentence: 'Someone else is inviting this person right now. Please check again.' },
  no_policy_change: { status: 409, sentence: 'There is no pending change to the required approvals' },
  other_policy_change: {
    status: 409,
    sentence: ({ waiting }) =>
      `A newer change is pending: ${waiting} required ${waiting === 1 ? 'approval' : 'approvals'}. Please look at it first.`,
    details: ({ shown, waiting }) => [{ shown, waiting }],
  },
  not_waiting: { status: 409, sentence: 'This was already decided, or was replaced by something newer' },
  reviewer_not_counted_yet: {
    status: 409,
    sentence: (refusal) => {
      const { missing, from } = refusal;
      if ('names' in refusal && (missing === 'doer_not_proved' || missing === 'voter_not_proved'))
        return unprovedBefore(missing, refusal.names);
      const later = from === null ? '' : ` It counts from ${momentInWords(new Date(from))}.`;
      return `${NOT_COUNTED[missing] ?? NOT_COUNTED['proof']}${later}`;
    },
    details: ({ missing, from, who }) => [{ missing, from: from === null ? null : new Date(from).toISOString(), who }],
  },
  strict_needs_people: {
    status: 409,
    sentence:
      'Strict review needs two owners or admins with a proved address, one more reviewer, and at least one required approval',
    details: ({ managers, reviewers }) => [{ managers, reviewers }],
  },
  strict_refuses_emergency: {
    status: 409,
    sentence: 'This organization uses strict reviews: nothing goes live without a review, not even in an emergency',
  },
  wrong_code: { status: 409, sentence: 'This is not the code we emailed you. Enter it again, or request a new one.' },
  code_expired: { status: 409, sentence: 'This code has expired or was tried too often. Request a new one.' },
  already_proved: { status: 409, sentence: 'Your address is already proved' },
  too_many_invitations: {
    status: 409,
    sentence: ({ most }) => `Prove your address first: until then you can send at most ${most} invitations.`,
  },
  reviewer_still_here: {
    status: 409,
    sentence: ({ name }) =>
      `${name} can still review. Ask them to approve the draft or to save a change to it. If they can do neither, change their role first.`,
  },
  last_owner: { status: 409, sentence: 'An organization needs an owner. Make someone else an owner first.' },
  individual_organization: {
    status: 409,
    sentence: 'A personal account has no invitations and no review policy. Create an organization for your team.',
  },
  too_many_tokens: {
    status: 409,
    sentence: ({ most }) => `You have reached the limit of ${most} API tokens. Revoke one first.`,
  },
  too_many_webhooks: {
    status: 409,
    sentence: ({ most }) => `You have reached the limit of ${most} webhooks. Remove one first.`,
  },
  not_delegated: {
    status: 403,
    sentence: 'You can’t do this for someone else: this work was never delegated to you, or the delegation has ended.',
    details: () => [{ field: 'onBehalfOf' }],
  },
  delegation_overlaps: {
    status: 409,
    sentence:
      'At that time, you already delegate some of this work. End that delegation first, or choose other times, work or workflows.',
    details: ({ delegationId }) => [{ field: 'from', delegationId }],
  },
  too_many_delegations: {
    status: 409,
    sentence: ({ most }) => `You can have at most ${most} delegations. End one first.`,
    details: () => [{ field: 'toUserId' }],
  },
  too_many_groups: {
    status: 409,
    sentence: ({ most }) => `You have reached the limit of ${most} groups. Delete one first.`,
  },
  no_groups_alone: {
    status: 409,
    sentence: 'A personal account has no groups. Create an organization for your team.',
  },
  group_slug_taken: {
    status: 409,
    sentence: 'Another group has this slug. Choose a different one.',
    details: () => [{ field: 'slug' }],
  },
  group_routed: {
    status: 409,
    sentence: ({ name }) =>
      `A rule or a proposal in “Who has to approve which changes” (Settings, Organization) names ${isolated(name)}. Remove the rule, which another owner or admin may have to confirm, or withdraw the proposal.`,
  },
  group_approves: {
    status: 409,
    sentence: ({ name, title }) =>
      `${isolated(title)} was submitted for review and needs an approval from ${isolated(name)}. Merge, change or discard that draft first.`,
  },
  tag_routed: {
    status: 409,
    sentence: ({ tags }) =>
      `“Who has to approve which changes” (Settings, Organization) has rules for workflows tagged ${tags.map((tag) => isolated(tag)).join(', ')}. Remove them first, which another owner or admin may have to confirm.`,
    details: ({ tags }) => tags.map((tag) => ({ tag })),
  },
  group_in_use: { status: 409, sentence: groupInUse, details: ({ workflows }) => [...workflows] },
  no_files_now: { status: 409, sentence: 'This step can’t accept files at the moment', details: steps },
  no_file_space: {
    status: 409,
    sentence: ({ quota }) => `This file would exceed the organization’s storage limit of ${sizeWords(quota)}.`,
  },
  wrong_chunk: {
    status: 400,
    sentence: ({ n, length, sent }) =>
      length === 0 ? `The file has no chunk ${n}` : `Chunk ${n} must have ${length} bytes, not ${sent}`,
  },
  chunk_missing: { status: 409, sentence: ({ n }) => `Chunk ${n} of the file is missing`, details: ({ n }) => [{ n }] },
  wrong_digest: {
    status: 400,
    sentence: 'The file was damaged during the upload: its SHA-256 digest doesn’t match. Upload it again.',
    details: ({ declared, received }) => [{ declared, received }],
  },
  file_incomplete: { status: 409, sentence: ({ name }) => `${isolated(name)} isn’t completely uploaded` },
  file_used: { status: 409, sentence: ({ name }) => `${isolated(name)} is already in another note. Upload it again.` },
  file_attached: {
    status: 409,
    sentence: ({ name }) => `${isolated(name)} is attached to a step or a note, so it can’t be deleted.`,
  },
  range_not_satisfiable: { status: 416, sentence: ({ size }) => `The file has only ${sizeWords(size)}.` },
  too_many_notes: {
    status: 409,
    sentence: ({ most }) => `This run has reached the limit of ${most} notes.`,
  },
  slug_taken: { status: 409, sentence: 'This organization URL is already taken' },
  key_taken: { status: 409, sentence: 'This workflow key was already used. Choose another one.' },
  workflow_archived: { status: 409, sentence: 'This workflow is archived' },
  nothing_live: { status: 409, sentence: 'This workflow has no live version yet' },
  stale_revision: {
    status: 409,
    sentence: (refusal) => `${'savedBy' in refusal ? refusal.savedBy : 'Someone'} saved this draft in the meantime`,
    details: ({ code: _code, ...versions }) => [versions],
  },
  stale_run: {
    status: 409,
    sentence: 'The run has changed in the meantime. Please check it again.',
    details: ({ sent, current }) => [{ sent, current }],
  },
  idempotency_key_reused: { status: 409, sentence: 'This Idempotency-Key was already used for a different request' },
  already_merged: { status: 409, sentence: ({ version }) => `This draft was already merged as version ${version}` },
  already_in_review: { status: 409, sentence: 'This draft is already in review' },
  not_in_review: { status: 409, sentence: 'This draft is not in review' },
  not_approved: { status: 409, sentence: 'You have no approval of this draft to withdraw' },
  not_submitted: {
    status: 409,
    sentence: (refusal) =>
      'stepId' in refusal ? 'This step has no input to decide on yet' : 'This draft has not been submitted for review',
    details: (refusal) => ('stepId' in refusal ? steps(refusal) : refusal.blockers),
  },
  needs_group_approval: {
    status: 409,
    sentence: 'A group that has to approve this draft hasn’t approved it',
    ...blockers,
  },
  needs_reviewer_approval: {
    status: 409,
    sentence: 'None of the workflow’s reviewers has approved this draft',
    ...blockers,
  },
  needs_approvals: { status: 409, sentence: 'This draft needs more approvals', ...blockers },
  changes_requested: { status: 409, sentence: 'Someone requested changes to this draft', ...blockers },
  out_of_date: { status: 409, sentence: 'The live version has changed since this draft was started', ...blockers },
  simulated_steps: {
    status: 409,
    sentence: 'Simulated steps can’t go live in this organization. Write a script for each of them first.',
    ...blockers,
  },
  unresolved_comments: {
    status: 409,
    sentence: ({ blockers: all }) => {
      const count = all.flatMap((each) => (each.code === 'unresolved_comments' ? each.comments : [])).length;
      return count === 1
        ? 'This draft has 1 unresolved comment. Resolve it first.'
        : `This draft has ${count} unresolved comments. Resolve them first.`;
    },
    ...blockers,
  },
  merge_conflicts: {
    status: 409,
    sentence: ({ conflicts: { length } }) =>
      `This draft conflicts with the live version in ${length === 1 ? '1 place' : `${length} places`}`,
    details: ({ conflicts }) => conflicts,
  },
  live_changed: {
    status: 409,
    sentence: 'Another version went live in the meantime',
    details: ({ conflicts }) => conflicts,
  },
  already_live: { status: 409, sentence: ({ version }) => `Version ${version} is already live` },
  never_merged: { status: 409, sentence: 'You can only roll back to a version that was live before' },
  rollback_needs_review: {
    status: 409,
    sentence: ({ needs: [first] }) =>
      `This version can only go live again through a review${first ? `: ${rollbackNeedSentence(first)}` : ''}.`,
    details: ({ needs }) =>
      needs.map((need) => ({
        code: need.code,
        sentence: rollbackNeedSentence(need),
        ...(need.code === 'control_lost' && {
          kind: lossKind(need.loss),
          stepId: need.loss.stepId,
          title: need.loss.title,
        }),
        ...(need.code === 'simulated_steps' && { stepIds: need.stepIds }),
        ...(need.code === 'approvals_missing' && { needed: need.needed, has: need.has }),
      })),
  },
  already_started: { status: 409, sentence: 'This run has already started' },
  not_started: { status: 409, sentence: 'This run has not started yet' },
  no_steps: { status: 409, sentence: 'This workflow has no steps' },
  run_paused: { status: 409, sentence: 'This run is paused' },
  run_finished: {
    status: 409,
    sentence: ({ status }) => (status === 'failed' ? 'This run has failed' : `This run is ${status}`),
    details: ({ status }) => [{ status }],
  },
  priority_unchanged: { status: 409, sentence: 'This run already has this priority' },
  run_not_paused: { status: 409, sentence: 'This run is not paused' },
  step_not_active: {
    status: 409,
    sentence: ({ state }) => STEP_NOT_ACTIVE[state] ?? `This step is already ${state}`,
    details: stepState,
  },
  step_not_failed: { status: 409, sentence: 'This step has not failed', details: stepState },
  not_a_person_step: {
    status: 409,
    sentence: ({ type }) => `The server executes ${type} steps itself`,
    details: steps,
  },
  wrong_step_type: {
    status: 409,
    sentence: ({ type }) => `You can’t do this with ${type.startsWith('a') ? 'an' : 'a'} ${type} step`,
    details: steps,
  },
  stale_activation: { status: 409, sentence: 'The step has changed in the meantime', details: steps },
  already_submitted: { status: 409, sentence: 'The input of this step is waiting for approval', details: steps },
  version_altered: {
    status: 409,
    sentence: ({ version }) =>
      `The content of version ${version} differs from what was merged, so its runs are stopped. Ask your administrator to restore it.`,
  },
  no_certificate: { status: 409, sentence: ({ because }) => NO_CERTIFICATE[because] },
  skip_never: { status: 409, sentence: 'Nobody can skip this step: its workflow doesn’t allow it', details: steps },
  already_agreed: {
    status: 409,
    sentence: ({ votes, required }) =>
      `You have already agreed to skip this step: ${votes} of ${required}. Someone else who could approve it has to agree.`,
    details: ({ stepId, votes, required }) => [{ stepId, votes, required }],
  },
  already_voted: {
    status: 409,
    sentence: ({ through }) =>
      through === undefined
        ? 'You have already approved this step'
        : `${through} has approved this step, and ${countsAsYours} has to approve too`,
    details: steps,
  },

  too_large: { status: 413, sentence: 'The request is too large' },
  unsupported_media_type: { status: 415, sentence: 'This content type is not supported' },
  too_many_requests: {
    status: 429,
    sentence: ({ retryAfterSeconds }) => `Too many attempts. Please try again ${inTime(retryAfterSeconds)}.`,
    details: ({ retryAfterSeconds }) => [{ retryAfterSeconds }],
  },
  internal: { status: 500, sentence: 'Something went wrong. Nothing was changed.' },
  busy: {
    status: 503,
    sentence: 'The server is busy with similar requests. Please try again in a few seconds.',
    details: ({ retryAfterSeconds }) => [{ retryAfterSeconds }],
  },
  // There is no standard status for a disconnected client. nginx uses this one.
  client_gone: { status: 499, sentence: 'The client has disconnected' },
  starting: { status: 503, sentence: 'The server is starting' },
  stopping: { status: 503, sentence: 'The server is stopping' },
  slack_unavailable: { status: 503, sentence: 'Slack could not be reached. Please try again later.' },
  disk_full: {
    status: 507,
    sentence: 'The server is out of storage. Nothing was changed. Please contact your administrator.',
  },
  data_directory_unavailable: {
    status: 503,
    sentence: 'The server can’t reach its data directory, so nothing was changed. Please try again later.',
  },
  database_unavailable: { status: 503, sentence: 'The database is not responding. Please try again.' },
};

/** The response to a refused request. */
export function answerTo(refusal: Refusal): {
  status: number;
  body: { error: string; code: string; details?: unknown[] };
} {
  const { status, sentence, details } = REFUSALS[refusal.code] as AnyEntry;
  const error = typeof sentence === 'string' ? sentence : sentence(refusal);
  return { status, body: { error, code: refusal.code, ...(details && { details: details(refusal) }) } };
}
