/** An event in the form from which facts are derived. `at` is ISO 8601 in UTC with microseconds. */
export type FactEvent = { seq: number; at: string; record: FactRecord };
export type FactRecord = {
  actor: Fields;
  action: string;
  subject: { type: string; id: string };
  data: Fields;
};
export type Fields = Readonly<Record<string, unknown>>;

/** A person or token, as an event names them. */
export type CertifiedPerson = { id: string; name: string; email: string | null };
/** Someone's act, its time, and the number of the event that shows it. */
export type CertifiedAct = { by: CertifiedPerson; at: string; seq: number };

/**
 * An approval of the version. `counts`: whether it counted for the merge; null if the merge didn't record that.
 * `because`: why the approval didn't count.
 */
export type CertifiedApproval = CertifiedAct & {
  contentHash: string | null;
  /**
   * How the approver's address was proved at that time; null if it wasn't proved, and absent if that wasn't recorded.
   */
  addressProvedBy?: string | null;
  marks: string[];
  counts: boolean | null;
  because: 'withdrawn' | 'changed_their_mind' | 'draft_changed' | 'not_counted' | null;
};

export type CertifiedEmergency = CertifiedAct & {
  act: 'merge' | 'rollback';
  reason: string | null;
  /** The blockers that the emergency ignored: codes for a merge, sentences for a rollback. */
  pastReview: string[];
  ratified: CertifiedAct | null;
  refused: CertifiedAct | null;
};

/** A time in which the version was in force. `until` is null if no event in the certificate ended it. */
export type CertifiedPeriod = {
  from: { at: string; seq: number };
  until: { at: string; seq: number; because: 'merge' | 'rollback' | 'archive' } | null;
};

/** Everything that follows from a version's events. */
export type CertifiedFacts = {
  key: string;
  version: number;
  versionId: string;
  contentHash: string;
  /** Everyone who saved the draft, each with their first save. */
  authors: CertifiedAct[];
  submitted: CertifiedAct | null;
  summary: string | null;
  approvals: CertifiedApproval[];
  /** The policy at the merge; `strictReview` is null if it wasn't recorded. */
  policy: { requiredApprovals: number | null; strictReview: boolean | null };
  merged: CertifiedAct;
  emergencies: CertifiedEmergency[];
  periods: CertifiedPeriod[];
};

const SAVES: readonly string[] = ['draft.created', 'draft.imported', 'draft.saved', 'draft.rebased'];

/** Actions of events about the version itself that a certificate can contain. */
const VERSION_ACTIONS: readonly string[] = [
  ...SAVES,
  'draft.submitted',
  'draft.withdrawn',
  'draft.approved',
  'draft.approval_withdrawn',
  'draft.approval_dismissed',
  'draft.changes_requested',
  'draft.merged',
  'confirmation.refused',
  'emergency.ratified',
];

/**
 * Returns whether a version's certificate contains this event: it is about the version, or it began or ended a period
 * in which the version was in force. `key` is the key of its workflow.
 */
export function isAboutVersion(record: FactRecord, { versionId, key }: { versionId: string; key: string }): boolean {
  const { action, subject, data } = record;
  if (subject.type === 'version' && subject.id === versionId) return VERSION_ACTIONS.includes(action);
  if (data['key'] !== key) return false;
  if (action === 'draft.merged') return data['replaces'] === versionId;
  if (action === 'version.rolled_back') return data['toVersionId'] === versionId || data['fromVersionId'] === versionId;
  return action === 'workflow.archived';
}

/** Returns the facts that follow from a version's events, in order; null if none of them merged the version. */
export function factsOf(events: readonly FactEvent[], versionId: string): CertifiedFacts | null {
  const isOwn = ({ record }: FactEvent): boolean => record.subject.id === versionId;
  const own = events.filter(isOwn);
  const merge = own.find(({ record }) => record.action === 'draft.merged');
  if (!merge) return null;
  const { data } = merge.record;
  const before = own.filter(({ seq }) => seq < merge.seq);
  const submissions = before.filter(({ record }) => record.action === 'draft.submitted');
  const submitted = submissions.at(-1);
  // An approval that also submits the draft has no summary, so the latest earlier one applies.
  const summary = submissions.findLast(({ record }) => Object.hasOwn(record.data, 'summary'))?.record.data['summary'];
  const [key, version, contentHash] = [data['key'], data['version'], data['contentHash']];
  if (typeof key !== 'string' || typeof version !== 'number' || typeof contentHash !== 'string') return null;
  return {
    key,
    version,
    versionId,
    contentHash,
    authors: authorsOf(before),
    submitted: submitted ? actOf(submitted) : null,
    summary: typeof summary === 'string' ? summary : null,
    approvals: approvalsOf(before, merge),
    policy: {
      requiredApprovals: typeof data['requiredApprovals'] === 'number' ? data['requiredApprovals'] : null,
      strictReview: typeof data['strictReview'] === 'boolean' ? data['strictReview'] : null,
    },
    merged: actOf(merge),
    emergencies: emergenciesOf(events, versionId),
    periods: periodsOf(events, versionId),
  };
}

export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

const personOf = ({ id, name, email }: Fields): CertifiedPerson => ({
  id: textOf(id) ?? '',
  name: textOf(name) ?? '',
  email: textOf(email),
});

export const actOf = ({ seq, at, record }: FactEvent): CertifiedAct => ({ by: personOf(record.actor), at, seq });

/** The account that acted: for a token, the person responsible for it. */
export const accountOf = ({ record: { actor } }: FactEvent): string =>
  textOf(actor['personId']) ?? textOf(actor['id']) ?? '';

/** The person for whom the actor acted as their delegate; null if there is none. */
export function delegatorOf({ record: { actor } }: FactEvent): CertifiedPerson | null {
  const delegator = actor['onBehalfOf'];
  return typeof delegator === 'object' && delegator !== null ? personOf(delegator as Fields) : null;
}

function authorsOf(before: readonly FactEvent[]): CertifiedAct[] {
  const authors = new Map<string, CertifiedAct>();
  for (const event of before.filter(({ record }) => SAVES.includes(record.action))) {
    const { by } = actOf(event);
    if (!authors.has(by.id)) authors.set(by.id, actOf(event));
  }
  return [...authors.values()];
}

function approvalsOf(before: readonly FactEvent[], merge: FactEvent): CertifiedApproval[] {
  const approvals: (CertifiedApproval & { account: string; people: readonly string[]; reviewId: unknown })[] = [];
  const end = (because: CertifiedApproval['because'], isEnded: (account: string) => boolean): void => {
    for (const approval of approvals) if (approval.people.some(isEnded)) approval.because ??= because;
  };
  const withdraw = ({ reviewIds }: Fields, isSame: (account: string) => boolean): void => {
    // Earlier releases didn't record which approvals were withdrawn.
    if (!Array.isArray(reviewIds)) return end('withdrawn', isSame);
    for (const approval of approvals) if (reviewIds.includes(approval.reviewId)) approval.because ??= 'withdrawn';
  };
  for (const event of before) {
    const { action, data } = event.record;
    const account = accountOf(event);
    // An action of a delegate is also the delegator's.
    const delegator = delegatorOf(event);
    const people = delegator === null ? [account] : [account, delegator.id];
    const isSame = (other: string): boolean => people.includes(other);
    if (action === 'draft.approved') {
      end('changed_their_mind', isSame);
      const proof = data['addressProvedBy'];
      approvals.push({
        ...actOf(event),
        account,
        people,
        reviewId: data['reviewId'],
        contentHash: textOf(data['contentHash']),
        ...((typeof proof === 'string' || proof === null) && { addressProvedBy: proof }),
        marks: textsOf(data['marks']),
        counts: null,
        because: null,
      });
    } else if (action === 'draft.approval_withdrawn') withdraw(data, isSame);
    else if (action === 'draft.changes_requested') end('changed_their_mind', isSame);
    else if (action === 'draft.approval_dismissed') {
      const dismissed = textsOf(data['reviewers']);
      end('draft_changed', (other) => dismissed.includes(other));
    }
  }
  const { approvals: recorded, contentHash } = merge.record.data;
  const counted = Array.isArray(recorded)
    ? new Map(recorded.map((each: Fields) => [textOf(each['reviewerId']), textsOf(each['marks'])]))
    : null;
  return approvals.map(({ account, people: _people, reviewId: _reviewId, ...approval }) => {
    const because = approval.because ?? (approval.contentHash === contentHash ? null : 'draft_changed');
    if (because !== null) return { ...approval, counts: false, because };
    if (counted === null) return approval;
    const marks = counted.get(account);
    return marks
      ? { ...approval, marks, counts: true }
      : { ...approval, counts: false, because: 'not_counted' as const };
  });
}

function emergenciesOf(events: readonly FactEvent[], versionId: string): CertifiedEmergency[] {
  const emergencies: CertifiedEmergency[] = [];
  for (const event of events) {
    const { action, data, subject } = event.record;
    const isMerge = action === 'draft.merged' && subject.id === versionId;
    const isRollback = action === 'version.rolled_back' && data['toVersionId'] === versionId;
    if ((isMerge || isRollback) && data['emergency'] === true) {
      const act = isMerge ? ('merge' as const) : ('rollback' as const);
      const [reason, pastReview] = [textOf(data['reason']), textsOf(data['pastReview'])];
      emergencies.push({ ...actOf(event), act, reason, pastReview, ratified: null, refused: null });
    }
    const decided = emergencies.findLast(({ act }) => act === data['act']) ?? emergencies.at(-1);
    if (decided && subject.id === versionId) {
      if (action === 'emergency.ratified') decided.ratified = actOf(event);
      if (action === 'confirmation.refused' && data['kind'] === 'emergency') decided.refused = actOf(event);
    }
  }
  return emergencies;
}

function periodsOf(events: readonly FactEvent[], versionId: string): CertifiedPeriod[] {
  const periods: CertifiedPeriod[] = [];
  for (const { seq, at, record } of events) {
    const { action, data, subject } = record;
    const isMerge = action === 'draft.merged';
    const isRollback = action === 'version.rolled_back';
    const starts = isMerge ? subject.id === versionId : isRollback && data['toVersionId'] === versionId;
    const open = periods.at(-1);
    if (starts && open?.until !== null) periods.push({ from: { at, seq }, until: null });
    else if (!starts && open?.until === null) {
      const because = isMerge ? 'merge' : isRollback ? 'rollback' : action === 'workflow.archived' ? 'archive' : null;
      if (because !== null) open.until = { at, seq, because };
    }
  }
  return periods;
}
