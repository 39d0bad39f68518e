import type { AddedMark, ConfirmationRefusal, DelegationRefusal, MembershipRefusal } from '@stet/domain/access';
import type { DraftRefusal } from '@stet/domain/drafts';
import type { RunRefusal } from '@stet/domain/runs';

/**
 * A workflow that names a group: in its live version, in a number of open drafts, or in the versions of a number of
 * open runs.
 */
type NamingWorkflow = { key: string; title: string; isLive: boolean; drafts: number; runs: number };

/** Refusals by the server, in addition to those of the domain. */
export type ShellRefusal =
  | { code: 'invalid'; problems: { field: string; problem: string }[] }
  | { code: 'invalid_workflow'; problems: { stepId: string | null; field?: string; problem: string }[] }
  | { code: 'invalid_file'; problems: { line: number | null; column: number | null; path: string; problem: string }[] }
  | { code: 'malformed_request' }
  | { code: 'not_signed_in' }
  | { code: 'session_ended' }
  | { code: 'token_ended' }
  | { code: 'token_scope'; permission: string }
  /**
   * `needsSecondPerson` is true if the token belongs to an organization and the change needs a second person's
   * confirmation.
   */
  | { code: 'not_for_tokens'; needsSecondPerson?: true }
  | { code: 'too_many_tokens'; most: number }
  | { code: 'no_files_now'; stepId: string }
  /** `quota` is in bytes. */
  | { code: 'no_file_space'; quota: number }
  /** `length` is the required number of bytes, or 0 if the file has no such chunk. */
  | { code: 'wrong_chunk'; n: number; length: number; sent: number }
  | { code: 'chunk_missing'; n: number }
  | { code: 'wrong_digest'; declared: string; received: string }
  | { code: 'file_incomplete'; name: string }
  | { code: 'file_used'; name: string }
  /** A step's output or a note names the file, so it can't be deleted. */
  | { code: 'file_attached'; name: string }
  /** `size` of the file in bytes. */
  | { code: 'range_not_satisfiable'; size: number }
  | { code: 'too_many_notes'; most: number }
  | { code: 'too_many_webhooks'; most: number }
  | { code: 'bad_credentials' }
  | { code: 'account_disabled' }
  /** `label` is the name of the identity provider. */
  | { code: 'password_sign_in_off'; label: string }
  | { code: 'organization_ends' }
  /** `domains` are the email domains whose addresses can sign up. If it is empty, only invited people can. */
  | { code: 'sign_up_closed'; domains: readonly string[] }
  /**
   * The person tried to help with another person's step through a channel that can't ask for confirmation. `assignee`
   * is the step's assignee as text.
   */
  | { code: 'help_not_asked'; stepId: string; assignee: string }
  | {
      code: 'added_during_run';
      stepId: string;
      /** The name of the person who added the actor to the group that the step names, or gave them the role. */
      addedBy: string;
      /** The connection of that person with the work that the step approves. */
      mark: AddedMark;
    }
  | {
      code: 'not_assigned';
      stepId: string;
      isApproval: boolean;
      /** The step's assignee as text, or null if it has none. */
      assignee: string | null;
      editorsMayHelp: boolean;
      /** True if nobody except the submitter could approve or reject the step's input. */
      nobodyElse: boolean;
      /** True if the step can become overdue. */
      hasDueTime: boolean;
      /**
       * True if the step names the actor only through a role that they recently gave themselves, or got from an account
       * that only they vouch for.
       */
      isByOwnHand: boolean;
    }
  | { code: 'cannot_hand_over'; stepId: string; isApproval: boolean }
  /** Someone changed the run after the caller read it. */
  | { code: 'stale_run'; sent: number; current: number }
  /** The content of a version differs from the merged content. */
  | { code: 'version_altered'; version: number }
  /**
   * `altered`: the content differs from the content that was merged. `unrecorded`: the audit trail doesn't contain the
   * merge.
   */
  | { code: 'no_certificate'; because: 'broken_trail' | 'altered' | 'unrecorded' }
  /**
   * No version was in force at that time. `archivedAt` is the time when the workflow was archived, if that was earlier.
   */
  | { code: 'not_in_force'; firstLiveAt: string | null; archivedAt: string | null }
  | { code: 'no_organization' }
  | { code: 'organization_changed' }
  | { code: 'not_a_member' }
  | {
      code: 'not_found';
      what:
        | 'route'
        | 'account'
        | 'job'
        | 'workflow'
        | 'draft'
        | 'comment'
        | 'review'
        | 'approval'
        | 'own_review'
        | 'version'
        | 'run'
        | 'file'
        | 'preview'
        | 'organization'
        | 'group'
        | 'delegation'
        | 'member'
        | 'invitation'
        | 'session'
        | 'token'
        | 'webhook'
        | 'delivery'
        | 'notification'
        | 'slack'
        | 'slack_app'
        | 'slack_channel'
        | 'confirmation'
        | 'objection'
        | 'identity_provider';
    }
  | { code: 'no_policy_change' }
  | { code: 'other_policy_change'; shown: number; waiting: number }
  | { code: 'strict_needs_people'; managers: number; reviewers: number }
  | { code: 'wrong_code' }
  | { code: 'code_expired' }
  | { code: 'already_proved' }
  | { code: 'too_many_invitations'; most: number }
  | { code: 'reviewer_still_here'; name: string }
  | { code: 'token_merges_reviewed' }
  | { code: 'emergency_needs_owner' }
  | { code: 'strict_refuses_emergency' }
  | { code: 'email_taken' }
  | { code: 'address_unavailable' }
  | { code: 'account_exists' }
  | { code: 'wrong_account'; invited: string }
  | { code: 'wrong_password' }
  | { code: 'link_expired' }
  | { code: 'sign_in_expired' }
  | { code: 'account_to_connect'; email: string }
  | { code: 'already_member' }
  | { code: 'already_invited' }
  | { code: 'individual_organization' }
  | { code: 'too_many_requests'; retryAfterSeconds: number }
  /** Too much work of the same kind is waiting on this server. This request was not started. */
  | { code: 'busy'; retryAfterSeconds: number }
  /** The client has disconnected, so it can't receive the response. */
  | { code: 'client_gone' }
  | { code: 'slug_taken' }
  /** The person for whom the actor wants to act hasn't delegated this work to the actor, or no longer does. */
  | { code: 'not_delegated' }
  | Exclude<DelegationRefusal, { code: 'invalid' }>
  | { code: 'group_slug_taken' }
  | { code: 'too_many_groups'; most: number }
  | { code: 'no_groups_alone' }
  | { code: 'group_routed'; name: string }
  | { code: 'group_approves'; name: string; title: string }
  | { code: 'tag_routed'; tags: readonly string[] }
  /** Contains at most 50 workflows. */
  | { code: 'group_in_use'; name: string; workflows: readonly NamingWorkflow[] }
  | { code: 'key_taken' }
  | { code: 'workflow_archived' }
  | { code: 'nothing_live' }
  | { code: 'stale_revision'; sent: number; current: number; savedBy: string; savedAt: string }
  | { code: 'idempotency_key_reused' }
  | { code: 'too_large' }
  | { code: 'unsupported_media_type' }
  | { code: 'starting' }
  | { code: 'stopping' }
  | { code: 'not_from_slack' }
  | { code: 'slack_unavailable' }
  | { code: 'database_unavailable' }
  | { code: 'disk_full' }
  | { code: 'data_directory_unavailable' }
  | { code: 'internal' };

export type Refusal = ShellRefusal | MembershipRefusal | ConfirmationRefusal | DraftRefusal | RunRefusal;
export type RefusalCode = Refusal['code'];

/** Thrown to end a use case without any change. The table of refusals defines the response. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.code);
  }
}

/** Returns a decision that was accepted. Throws the refusal otherwise. */
export function unwrap<D extends { ok: true } | { ok: false; refusal: Refusal }>(
  decision: D,
): Extract<D, { ok: true }> {
  if (!decision.ok) throw new Refused(decision.refusal);
  return decision as Extract<D, { ok: true }>;
}
