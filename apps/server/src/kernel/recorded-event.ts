import type { DelegationKind } from '@stet/domain/access';
import type { AuditAction, AuditRecord } from '@stet/domain/audit';
import type { LossInWords } from '@stet/domain/drafts';
import type { RunFact, RunState, RunWorkflow } from '@stet/domain/runs';

type RunAction = Extract<AuditAction, `run.${string}` | `step.${string}` | `sla.${string}`>;

/** The context of a run's event: the fact, and the state of the run after the fact's transaction. */
export type RunContext = {
  runName: string;
  workflow: RunWorkflow;
  state: RunState;
  fact: RunFact;
  /** True if the organization was small (`IS_SMALL`) when the run was read. */
  isSmall: boolean;
  /** Additional email addresses and roles that are notified of a breach in runs of this workflow. */
  alsoAtBreach?: readonly string[];
  /**
   * The comment that the person entered with the command, and the members it mentions. Only the command's first fact
   * has it.
   */
  comment?: Comment;
  /** The in-app message of a notification step and its recipients. */
  message?: { text: string; userIds: readonly string[] };
};

type Comment = { text: string; mentions: readonly string[] };

/**
 * A note on a run. `stepTitle` is null for a note on the whole run. `authors` are the people who wrote earlier notes of
 * the thread.
 */
type NoteContext = { runName: string; stepTitle: string | null; comment: Comment; authors: readonly string[] };

type DraftContext = {
  draft: {
    key: string;
    title: string;
    /** The author of the draft and everyone else who worked on it. */
    contributors: readonly string[];
  };
};

/** A proposal that is waiting for a second manager. */
type ProposedContext = {
  id: string;
  proposer: { id: string; name: string };
  sentence: string;
  /** The version that went live without a review. Null for a proposal that takes effect only when it is confirmed. */
  emergency: { title: string; key: string; reason: string; isAlone: boolean } | null;
};

/** A proposal that was confirmed, refused or withdrawn. */
type DecidedContext = {
  id: string;
  proposerId: string;
  sentence: string;
  status: 'confirmed' | 'refused' | 'withdrawn';
  reason: string | null;
};

/** The description of a change that one manager made alone, and the key of its workflow, if there is one. */
type AloneContext = { alone?: string; key?: string };

/** The data that the reactions to an event need in addition to its stored form. */
type Contexts = {
  /**
   * `groups` are the names in the draft's requirements. `delegates` are people who can review it for reviewers who are
   * away.
   */
  'draft.submitted': DraftContext & {
    reviewers: readonly string[];
    delegates: readonly { userId: string; delegators: readonly string[] }[];
    losses: readonly LossInWords[];
    groups: readonly string[];
  };
  /**
   * `groups` are the names of the groups that must now approve the draft too. `members` are the people in them who can
   * review it.
   */
  'draft.requirements_added': DraftContext & { groups: readonly string[]; members: readonly string[] };
  'draft.withdrawn': DraftContext;
  'draft.approved': DraftContext & { comment: Comment };
  'draft.approval_withdrawn': DraftContext;
  'draft.changes_requested': DraftContext & { comment: Comment };
  'draft.commented': DraftContext & { comment: Comment; stepTitle: string | null };
  /**
   * If the draft removed a control, the comparison failed or a group had to approve, `reviewers` are all people who
   * could review it. Otherwise it is empty.
   */
  'draft.merged': DraftContext & {
    version: number;
    losses: readonly LossInWords[];
    reviewers: readonly string[];
    /**
     * The groups that had to approve, or the workflow's reviewers, with the name of the person who approved. `by` is
     * null if nobody did, which only an emergency allows.
     */
    approvedFor: readonly { name: string; by: string | null }[];
    /** The owners of the workflow. */
    owners: readonly string[];
  };
  'draft.discarded': { title: string; reviewers: readonly string[]; reason: string | null };
  'draft.objection_set_aside': AloneContext;
  'workflow.archived': ReviewedContext;
  'workflow.deleted': ReviewedContext;
  'version.rolled_back': {
    title: string;
    key: string;
    /** For example `from v3 to v2`. */
    change: string;
    reason: string | null;
    userIds: readonly string[];
    emails: readonly string[];
  };
  'group.created': GroupContext;
  'group.changed': GroupContext & { alone?: string; left?: LeaverContext };
  'group.deleted': GroupContext;
  'delegation.created': DelegationContext;
  'delegation.ended': DelegationContext;
  'policy.changed': AloneContext & { decided?: DecidedContext };
  'escalation.changed': AloneContext;
  'workflow.people_changed': AloneContext & { title: string; owners: PeopleContext; reviewers: PeopleContext };
  'confirmation.proposed': ProposedContext;
  'policy.change_proposed': ProposedContext;
  'confirmation.confirmed': DecidedContext;
  'confirmation.refused': DecidedContext;
  'confirmation.withdrawn': DecidedContext;
  'policy.change_refused': DecidedContext;
  'policy.change_withdrawn': DecidedContext;
  'note.added': NoteContext;
  'account.email_changed': { name: string };
  'account.disabled': RevokedContext;
  'account.enabled': RevokedContext;
  'account.address_released': { name: string };
  'member.role_changed': RevokedContext & { from: string; to: string };
  'member.removed': RevokedContext;
  'member.left': RevokedContext;
} & { [A in RunAction]: RunContext };

/**
 * A person whose membership in the organization ended. `named` describes the things that name their group, if there are
 * any.
 */
type LeaverContext = {
  name: string;
  isRemoved: boolean;
  isLast: boolean;
  named: { words: string; ownerIds: readonly string[] } | null;
};

/** The ids of the people who were added to a list or removed from it. */
type PeopleContext = { added: readonly string[]; removed: readonly string[] };

/** A group, and the ids of the people who were added to it or removed from it. */
type GroupContext = { name: string; added: readonly string[]; removed: readonly string[] };

type NamedPerson = { id: string; name: string };
/** A delegation. Times are in ISO 8601, in UTC. `lendsDecisions` is true if votes or reviews are delegated. */
type DelegationContext = {
  delegator: NamedPerson;
  delegate: NamedPerson;
  from: string;
  until: string;
  kinds: readonly DelegationKind[];
  reason: string;
  lendsDecisions: boolean;
};

/** A person, and the pending invitations sent by this person that were revoked with the event. */
type RevokedContext = { name: string; revokedInvitations: readonly { email: string }[] };

/** The drafts of a workflow that is being archived or deleted, with their reviewers. */
type ReviewedContext = {
  reviewed: readonly { id: string; title: string; reviewers: readonly string[] }[];
  reason: string | null;
};

type WithContext = Exclude<keyof Contexts, RunAction>;
type Event<A extends AuditAction, Context> = AuditRecord & { action: A; context: Context };

/** An event as its transaction appends it. */
export type RecordedEvent =
  | (AuditRecord & { action: Exclude<AuditAction, keyof Contexts>; context?: never })
  | Event<RunAction, RunContext>
  | { [A in WithContext]: Event<A, Contexts[A]> }[WithContext];

/** The event type of an action. */
export type EventOf<A extends AuditAction> = A extends keyof Contexts
  ? Event<A, Contexts[A]>
  : AuditRecord & { action: A; context?: never };

/** Events that notify people although they aren't recorded in the trail. */
export type Unrecorded = {
  /**
   * The trail is broken, so the alarm isn't recorded in it. The same finding has the same `key` until a verification of
   * the whole trail finds no problem.
   */
  'trail.broken': { key: string; sentence: string };
  /** The comparison of a draft or a rollback with earlier contents failed. `id` is the id of the version. */
  'findings.failed': { key: string; id: string; title: string; contentHash: string };
  /** An emergency that has been waiting for a decision for this number of full days. */
  'emergency.still_waiting': { id: string; days: number; sentence: string; reason: string; proposerId: string };
  /** A personal token that was created before tokens had to expire. Sent every 30 days. */
  'token.never_expires': { id: string };
};
export type UnrecordedEvent = { [A in keyof Unrecorded]: { action: A; context: Unrecorded[A] } }[keyof Unrecorded];
