// One table, with an entry for each refusal: what people are told is read and compared in one place, however long it gets.
import { rollbackNeedSentence } from '@stet/domain/drafts';
import { momentInWords } from '../kernel/moment-in-words.ts';
import type { Refusal, RefusalCode } from '../kernel/refused.ts';

/** The refusals that can carry the code. */
type Of<C extends RefusalCode, R extends Refusal = Refusal> = R extends unknown
  ? C extends R['code']
    ? R
    : never
  : never;
type Entry<C extends RefusalCode> = {
  status: number;
  /** What a person is told. */
  sentence: string | ((refusal: Of<C>) => string);
  /** What a program is told besides. */
  details?: (refusal: Of<C>) => unknown[];
};

type AnyEntry = {
  status: number;
  sentence: string | ((refusal: Refusal) => string);
  details?: (refusal: Refusal) => unknown[];
};

/** A problem as a sentence of its own; one that only makes sense with its field is led by it. */
function inWords({ field, problem }: { field: string; problem: string }): string {
  return /^(?:is|must|has)\b/.test(problem) ? `${field === '' ? 'The request' : field} ${problem}` : problem;
}

const blockers = { details: ({ blockers: all }: { blockers: unknown[] }) => all };
const steps = (refusal: { stepId: string }): unknown[] => [{ stepId: refusal.stepId }];
const stepState = (refusal: { stepId: string; state: string }): unknown[] => [
  { stepId: refusal.stepId, state: refusal.state },
];

const inTime = (seconds: number): string => (seconds <= 90 ? 'in a minute' : `in ${Math.ceil(seconds / 60)} minutes`);

/** Who may act on a step that is not the actor's (rulings, section 12). */
function whoMayAct({ isApproval, assignee, editorsMayHelp }: Of<'not_assigned'>): string {
  if (assignee === null)
    return isApproval ? 'A reviewer, admin or owner decides this step.' : 'An editor, admin or owner does this step.';
  const assigned = `This step is assigned to ${assignee}.`;
  if (isApproval)
    return `${assigned} Owners and admins decide it only if too few of those named can, or once it is overdue for 24 working hours.`;
  return editorsMayHelp
    ? `${assigned} Editors, admins and owners may help.`
    : `${assigned} Admins and owners may help.`;
}

const NOT_THERE = {
  route: 'There is nothing at this address',
  workflow: 'Workflow not found',
  draft: 'Draft not found',
  comment: 'Comment not found',
  review: 'You have not reviewed this draft yet',
  version: 'Version not found',
  run: 'Run not found',
  organization: 'Organization not found',
  member: 'This person is not a member of the organization',
  invitation: 'This invitation link may have expired or been revoked.',
  session: 'This session has ended already',
  token: 'This API token is not there any more',
  webhook: 'This webhook is not there any more',
  delivery: 'There is nothing to send again under this id',
  notification: 'This notification is not there',
  slack: 'This organization is not connected to Slack',
  slack_app: 'This installation has no Slack app',
  slack_channel: 'There is no such channel in Slack',
  confirmation: 'There is nothing to confirm under this id',
  objection: 'No request for changes of this person stands on the draft',
  identity_provider: 'This installation signs in by passwords alone',
} as const;

/** A problem of a file with its place: `Line 4, column 3: …`. */
const placed = ({ line, column, problem }: { line: number | null; column: number | null; problem: string }): string =>
  line === null ? problem : `Line ${line}, column ${column ?? 1}: ${problem}`;

/** Why a review, a confirmation or an act of managing doesn't count, and what mends it. */
const NOT_COUNTED: Record<string, string> = {
  proof:
    'Prove your address first: enter the code we mail you, or ask an owner or admin other than who invited you to confirm you.',
  address_not_proved:
    'Your approval doesn’t count until your address is proved: enter the code we mail you, or ask an owner or admin other than who invited you to confirm you.',
  added_after_first_save:
    'One of this draft’s authors made you a reviewer after it was first saved. Another owner or admin has to confirm you first.',
  behind_the_author: 'What the author does also counts as yours, so someone else has to review this draft.',
  strict: 'This organization reviews strictly: your approval would carry a mark, so it doesn’t count.',
  by_api_token: 'This organization reviews strictly: sign in to review, an API token doesn’t count.',
  self_approval: 'Someone else could review this draft until a short time ago, so you can’t approve your own work yet.',
  same_person: 'What they do also counts as yours, so another owner or admin has to confirm this.',
  not_proved: 'Prove your address first, then you can confirm this.',
  vouched: 'One of you is known here only by the other’s word, so another owner or admin has to confirm this.',
  second_manager:
    'Another owner or admin could have confirmed this until a short time ago, so you can’t decide it alone yet.',
  made_manager_lately: 'Whoever proposed this made you an owner or admin less than 7 days ago.',
};

/** Every refusal with its status and its sentence; a code without an entry doesn't compile (rulings, section 9). */
export const REFUSALS: { [C in RefusalCode]: Entry<C> } = {
  invalid: {
    status: 400,
    sentence: ({ problems: [first] }) => (first ? inWords(first) : 'The request is not valid'),
    details: ({ problems }) => problems,
  },
  invalid_workflow: {
    status: 400,
    sentence: ({ problems }) => problems[0]?.problem ?? 'Invalid workflow format',
    details: ({ problems }) => problems,
  },
  invalid_file: {
    status: 400,
    sentence: ({ problems: [first] }) => (first ? placed(first) : 'Invalid workflow format'),
    details: ({ problems }) => problems,
  },
  malformed_request: { status: 400, sentence: 'The request could not be read' },
  input_required: { status: 400, sentence: 'Please provide input for this manual step', details: steps },
  invalid_fields: {
    status: 400,
    sentence: ({ problems }) => problems[0]?.problem ?? 'The input of this step is not valid',
    details: ({ problems, stepId }) => problems.map((problem) => ({ stepId, ...problem })),
  },
  comments_required: { status: 400, sentence: 'Comments are required when rejecting', details: steps },
  comment_required: { status: 400, sentence: 'Comment required to request changes' },
  reason_required: {
    status: 400,
    sentence: 'Please say why',
    details: (refusal) => ('stepId' in refusal ? [{ stepId: refusal.stepId }] : []),
  },
  stand_in_reason_required: {
    status: 400,
    sentence: 'This step is assigned to others. Say in a comment why you decide it for them.',
    details: steps,
  },

  not_signed_in: { status: 401, sentence: 'Please log in' },
  session_ended: { status: 401, sentence: 'Your session has ended. Please log in again.' },
  token_ended: { status: 401, sentence: 'This API token is unknown, expired or revoked.' },
  bad_credentials: { status: 401, sentence: 'The email or the password is not right' },

  not_from_slack: { status: 401, sentence: 'This call does not carry the signature of Slack' },

  forbidden: { status: 403, sentence: "You don't have permission to do this in this organization." },
  token_scope: {
    status: 403,
    sentence: ({ permission }) => `This API token was not given the permission ${permission}.`,
    details: ({ permission }) => [{ permission }],
  },
  not_for_tokens: { status: 403, sentence: 'This can’t be done with an API token. Please sign in.' },
  not_assigned: { status: 403, sentence: whoMayAct, details: steps },
  rejected_cannot_retry: {
    status: 403,
    sentence: 'Your own work was rejected here. Someone else who may control runs has to retry it.',
    details: steps,
  },
  token_merges_reviewed: {
    status: 403,
    sentence: 'An organization’s token merges only what people have approved, and here nothing needs an approval.',
  },
  emergency_needs_owner: { status: 403, sentence: 'Only an owner can put a version live past the review' },
  owners_only: { status: 403, sentence: 'Only an owner can make, change or remove an owner' },
  proposer_cannot_confirm: {
    status: 403,
    sentence: 'You proposed this yourself, so another owner or admin has to confirm it',
  },
  wrong_account: {
    status: 403,
    sentence: ({ invited }) => `This invitation is for ${invited}, and you are signed in under another email`,
  },
  wrong_password: { status: 403, sentence: 'The current password is not right' },
  not_a_member: { status: 403, sentence: 'You are not a member of this organization' },
  contributor_cannot_approve: {
    status: 403,
    sentence: 'You contributed to this draft, so someone else has to review it',
  },
  not_your_draft: {
    status: 403,
    sentence:
      'Only those who worked on a draft can discard it, and once it was reviewed its author or an owner or admin',
  },
  own_submission: { status: 403, sentence: 'Your own input has to be approved by someone else', details: steps },
  separate_from: {
    status: 403,
    sentence: 'You completed the step before, so someone else has to approve',
    details: steps,
  },

  not_found: { status: 404, sentence: ({ what }) => NOT_THERE[what] },
  link_expired: { status: 404, sentence: 'This link has expired or was used already. Please ask for a new one.' },
  unknown_step: { status: 404, sentence: 'This run has no such step', details: steps },

  organization_changed: {
    status: 409,
    sentence: 'Another organization was selected somewhere else. Nothing was changed.',
  },
  no_organization: { status: 409, sentence: 'No organization selected.' },
  email_taken: { status: 409, sentence: 'An account with this email exists already' },
  sign_in_expired: { status: 409, sentence: 'This sign-in took too long or was used already. Please try again.' },
  account_to_connect: {
    status: 409,
    sentence: ({ email }) =>
      `There is an account under ${email} already. Log in with its password once, and the two are connected.`,
    details: ({ email }) => [{ email }],
  },
  account_exists: { status: 409, sentence: 'You have an account under this email already. Please sign in to accept.' },
  already_member: { status: 409, sentence: 'This person is a member already' },
  already_invited: { status: 409, sentence: 'Someone is inviting this person at this moment. Please look again.' },
  no_policy_change: { status: 409, sentence: 'No change of the required approvals waits for confirmation' },
  other_policy_change: {
    status: 409,
    sentence: ({ waiting }) =>
      `Another change waits by now: ${waiting} required ${waiting === 1 ? 'approval' : 'approvals'}. Please look at it first.`,
    details: ({ shown, waiting }) => [{ shown, waiting }],
  },
  not_waiting: { status: 409, sentence: 'This was decided already, or something newer took its place' },
  reviewer_not_counted_yet: {
    status: 409,
    sentence: ({ missing, from }) => {
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
    sentence: 'This organization reviews strictly: nothing goes live past the review, not in an emergency either',
  },
  wrong_code: { status: 409, sentence: 'This is not the code from the mail. Enter it again, or ask for a new one.' },
  code_expired: { status: 409, sentence: 'This code has expired or was tried too often. Ask for a new one.' },
  already_proved: { status: 409, sentence: 'Your address is proved already' },
  too_many_invitations: {
    status: 409,
    sentence: ({ most }) => `Prove your address first: until then an account sends at most ${most} invitations.`,
  },
  reviewer_still_here: {
    status: 409,
    sentence: ({ name }) => `${name} can still review. Ask them to approve the draft or to take their request back.`,
  },
  last_owner: { status: 409, sentence: 'An organization needs an owner. Make someone else an owner first.' },
  individual_organization: {
    status: 409,
    sentence: 'A personal account has no invitations and no review policy. Create an organization for a team.',
  },
  too_many_tokens: { status: 409, sentence: ({ most }) => `There are ${most} API tokens already. Revoke one first.` },
  too_many_webhooks: { status: 409, sentence: ({ most }) => `There are ${most} webhooks already. Remove one first.` },
  slug_taken: { status: 409, sentence: 'This organization URL is taken already' },
  key_taken: { status: 409, sentence: 'This workflow key was used before. Choose another one.' },
  workflow_archived: { status: 409, sentence: 'This workflow is archived' },
  nothing_live: { status: 409, sentence: 'This workflow has no live version yet' },
  stale_revision: {
    status: 409,
    sentence: (refusal) => `${'savedBy' in refusal ? refusal.savedBy : 'Someone'} saved this draft in the meantime`,
    details: ({ code: _code, ...versions }) => [versions],
  },
  idempotency_key_reused: { status: 409, sentence: 'This Idempotency-Key was used for another request' },
  already_merged: { status: 409, sentence: ({ version }) => `This draft was merged already, as version ${version}` },
  already_in_review: { status: 409, sentence: 'This draft is in review already' },
  not_in_review: { status: 409, sentence: 'This draft is not in review' },
  not_submitted: {
    status: 409,
    sentence: (refusal) =>
      'stepId' in refusal ? 'This step has no input to decide on yet' : 'This draft was not submitted for review',
    details: (refusal) => ('stepId' in refusal ? steps(refusal) : refusal.blockers),
  },
  needs_approvals: { status: 409, sentence: 'This draft needs more approvals', ...blockers },
  changes_requested: { status: 409, sentence: 'Someone asked for changes of this draft', ...blockers },
  out_of_date: { status: 409, sentence: 'The live version has changed since this draft was begun', ...blockers },
  simulated_steps: {
    status: 409,
    sentence: 'Simulated steps may not go live in this organization. Write a script for each of them first.',
    ...blockers,
  },
  merge_conflicts: {
    status: 409,
    sentence: ({ conflicts: { length } }) =>
      `The live version and this draft changed the same in ${length === 1 ? '1 place' : `${length} places`}`,
    details: ({ conflicts }) => conflicts,
  },
  live_changed: {
    status: 409,
    sentence: 'Another version went live in the meantime. Please look at the merge again.',
    details: ({ conflicts }) => conflicts,
  },
  already_live: { status: 409, sentence: ({ version }) => `Version ${version} is live already` },
  never_merged: { status: 409, sentence: 'Only a version that was live can be rolled back to' },
  rollback_needs_review: {
    status: 409,
    sentence: ({ needs: [first] }) =>
      `This version goes live again only through a review. ${first ? rollbackNeedSentence(first) : ''}. Open it as a draft.`,
    details: ({ needs }) =>
      needs.map((need) => ({
        code: need.code,
        sentence: rollbackNeedSentence(need),
        ...(need.code === 'control_lost' && { kind: need.loss.kind, stepId: need.loss.stepId, title: need.loss.title }),
        ...(need.code === 'approvals_missing' && { needed: need.needed, has: need.has }),
      })),
  },
  already_started: { status: 409, sentence: 'This run has started already' },
  not_started: { status: 409, sentence: 'This run has not started' },
  no_steps: { status: 409, sentence: 'This workflow has no steps' },
  run_paused: { status: 409, sentence: 'This run is paused' },
  run_finished: {
    status: 409,
    sentence: ({ status }) => `This run is ${status}`,
    details: ({ status }) => [{ status }],
  },
  run_not_paused: { status: 409, sentence: 'This run is not paused' },
  step_not_active: {
    status: 409,
    sentence: ({ state }) => (state === 'waiting' ? 'This step has not begun yet' : `This step is ${state} already`),
    details: stepState,
  },
  step_not_failed: { status: 409, sentence: 'This step has not failed', details: stepState },
  not_a_person_step: {
    status: 409,
    sentence: ({ type }) => `The server carries out ${type} steps itself`,
    details: steps,
  },
  wrong_step_type: {
    status: 409,
    sentence: ({ type }) => `This can't be done with steps of type ${type}`,
    details: steps,
  },
  stale_activation: { status: 409, sentence: 'The step has moved on', details: steps },
  already_submitted: { status: 409, sentence: 'The input of this step waits for approval', details: steps },
  version_altered: {
    status: 409,
    sentence: ({ version }) =>
      `The content of version ${version} is not what was merged, so its runs don’t go on. Ask those who run this server to restore it.`,
  },
  already_agreed: {
    status: 409,
    sentence: ({ votes, required }) =>
      `You have agreed to skip this step already: ${votes} of ${required}. Someone else who could approve it has to agree.`,
    details: ({ stepId, votes, required }) => [{ stepId, votes, required }],
  },
  already_voted: { status: 409, sentence: 'You have approved this step already', details: steps },

  too_large: { status: 413, sentence: 'The request is too large' },
  unsupported_media_type: { status: 415, sentence: 'This content type is not supported' },
  too_many_requests: {
    status: 429,
    sentence: ({ retryAfterSeconds }) => `Too many attempts. Please try again ${inTime(retryAfterSeconds)}.`,
    details: ({ retryAfterSeconds }) => [{ retryAfterSeconds }],
  },
  internal: { status: 500, sentence: 'Something went wrong. Nothing was changed.' },
  starting: { status: 503, sentence: 'The server is starting' },
  stopping: { status: 503, sentence: 'The server is stopping' },
  slack_unavailable: { status: 503, sentence: 'Slack could not be reached. Please try again in a while.' },
  disk_full: {
    status: 507,
    sentence: 'There is no room left for data. Nothing was changed. Please tell those who run this server.',
  },
  database_unavailable: { status: 503, sentence: 'The database does not answer at the moment. Please try again.' },
};

/** What the caller of a refused request hears. */
export function answerTo(refusal: Refusal): {
  status: number;
  body: { error: string; code: string; details?: unknown[] };
} {
  const { status, sentence, details } = REFUSALS[refusal.code] as AnyEntry;
  const error = typeof sentence === 'string' ? sentence : sentence(refusal);
  return { status, body: { error, code: refusal.code, ...(details && { details: details(refusal) }) } };
}
