import { canonicalJson } from '@stet/domain/workflows';
import { digestOf } from '../../kernel/digest.ts';

/** The rows that determine what is allowed, such as memberships and policies, each under a key that identifies it. */
export type Rows = Map<string, unknown>;

export type GoverningEvent = {
  actor: string;
  /** The person responsible for the actor, if the actor is a token. */
  personId?: string | null;
  /** The delegator. Null or absent if the actor acted in their own name. */
  onBehalfOf?: string | null;
  action: string;
  subjectId: string;
  data: Readonly<Record<string, unknown>>;
};

type Review = { draft: string; dismissed: boolean; verdict: string };
type Derive = (rows: Rows, event: GoverningEvent) => void;

const PASSWORD_MINIMUM = 6;
const POLICY_DEFAULTS = {
  strict: false,
  editorsMayHelp: true,
  simulatedSteps: 'allowed',
  resolvedComments: false,
  workingHours: null,
  passwordMinimum: PASSWORD_MINIMUM,
  reviewRoutes: [],
};
const fieldsOf = (value: unknown): Record<string, unknown> => (value ?? {}) as Record<string, unknown>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const setContent: Derive = (rows, { subjectId, data }) =>
  void rows.set(`content:${subjectId}`, { key: data['key'], hash: data['contentHash'], version: null });

/** A save dismisses every approval of the draft. */
const saveContent: Derive = (rows, event) => {
  setContent(rows, event);
  setRequirements(rows, event);
  for (const [key, value] of rows) {
    const review = value as Review;
    if (key.startsWith('review:') && review.draft === event.subjectId && review.verdict === 'approved')
      rows.set(key, { ...review, dismissed: true });
  }
};

/**
 * A draft's stored requirements in the form that events record and that verification compares: the groups, and a digest
 * that also covers their names and reasons.
 */
export const recordedRequirements = (stored: readonly { group: string }[]): unknown => ({
  groups: stored.map(({ group }) => group),
  digest: digestOf(stored),
});

/** Earlier servers recorded no requirements, so the requirements stored at such an event are unknown. */
const setRequirements: Derive = (rows, { subjectId, data }) => {
  const { storedRequirements } = data;
  if (storedRequirements === undefined) rows.delete(`requirements:${subjectId}`);
  else rows.set(`requirements:${subjectId}`, storedRequirements);
};

const createDraft: Derive = (rows, event) => {
  setContent(rows, event);
  rows.set(`requirements:${event.subjectId}`, recordedRequirements([]));
};

const setReview =
  (verdict: string): Derive =>
  (rows, { actor, onBehalfOf = null, subjectId, data }) =>
    void rows.set(`review:${String(data['reviewId'])}`, {
      draft: subjectId,
      reviewer: data['reviewerId'] ?? actor,
      // Absent without a delegator, as in the rows that an earlier release recorded.
      ...(onBehalfOf !== null && { onBehalfOf }),
      verdict,
      hash: data['contentHash'],
      comment: digestOf(data['comment'] ?? ''),
      byToken: data['byToken'] === true,
      at: data['at'],
      dismissed: false,
    });

/** The key of an open request for changes. A reviewer has at most one for the same content of the same draft. */
export const objectionKey = ({ draft, reviewer, hash }: { draft: string; reviewer: string; hash: string }): string =>
  `objection:${draft}:${reviewer}:${hash}`;

/** `delegate` is the id of the person who requested the changes for the reviewer, or null. */
export const objectionRow = ({ comment, delegate }: { comment: string; delegate: string | null }) => ({
  comment: digestOf(comment),
  delegate,
});

const openObjection: Derive = (rows, { actor, onBehalfOf = null, subjectId, data }) => {
  const by = textOf(data['reviewerId']) || actor;
  const at = { draft: subjectId, reviewer: onBehalfOf ?? by, hash: textOf(data['contentHash']) };
  const delegate = onBehalfOf === null ? null : by;
  rows.set(objectionKey(at), objectionRow({ comment: textOf(data['comment']), delegate }));
};

/** Removes a reviewer's open requests that were made on this draft or on this content, and returns them. */
function endObjections(rows: Rows, { draft, reviewer, hash }: { draft: string; reviewer: string; hash: string }) {
  const ended = [...rows].filter(([key]) => {
    const [kind, of, by, content] = key.split(':');
    return kind === 'objection' && by === reviewer && (of === draft || content === hash);
  });
  for (const [key] of ended) rows.delete(key);
  return ended;
}

const removeDrafts = (rows: Rows, isGone: (id: string, key: unknown) => boolean): void => {
  for (const [row, value] of rows) {
    const { key, version } = fieldsOf(value);
    const id = row.slice(row.indexOf(':') + 1);
    if (!row.startsWith('content:') || version !== null || !isGone(id, key)) continue;
    rows.delete(row);
    rows.delete(`requirements:${id}`);
    for (const [other, review] of rows)
      if (other.startsWith('review:') && fieldsOf(review)['draft'] === id) rows.delete(other);
  }
};

type Member = { id: string };

const changeGroup: Derive = (rows, { subjectId, data }) => {
  const { slug, added = [], removed = [], addedBy = [], addedAt = '' } = data;
  const before = fieldsOf(rows.get(`group:${subjectId}`));
  const removedIds = (removed as Member[]).map(({ id }) => id);
  const remaining = Object.entries(fieldsOf(before['members'])).filter(([id]) => !removedIds.includes(id));
  const joined = (added as Member[]).map(({ id }) => [id, { by: addedBy, at: addedAt }]);
  rows.set(`group:${subjectId}`, {
    slug,
    name: fieldsOf(data['after'])['name'] ?? data['name'],
    members: Object.fromEntries([...remaining, ...joined]) as object,
  });
};

const changePeople: Derive = (rows, { subjectId, data }) => {
  const { addedBy, addedAt, after } = data;
  const before = fieldsOf(rows.get(`people:${subjectId}`));
  const part = (name: string) =>
    Object.fromEntries(
      (fieldsOf(after)[name] as Member[]).map(({ id }) => [
        id,
        fieldsOf(before[name])[id] ?? { by: addedBy, at: addedAt },
      ]),
    );
  rows.set(`people:${subjectId}`, {
    owners: part('owners'),
    reviewers: part('reviewers'),
    needsReviewer: fieldsOf(after)['needsReviewer'],
  });
};

const removeMember: Derive = (rows, { subjectId }) => {
  rows.delete(`member:${subjectId}`);
  for (const [key, value] of rows) {
    const { from, to } = fieldsOf(value);
    if (key.startsWith('delegation:') && (from === subjectId || to === subjectId)) rows.delete(key);
  }
};

/** Defines which events produce which rows. `governing-rows.ts` reads the same rows from the database. */
export const DERIVATIONS: Readonly<Record<string, Derive>> = {
  'organization.created': (rows, { actor, data }) => {
    rows.set(`member:${actor}`, 'owner');
    const requiredApprovals = data['type'] === 'team' ? 1 : 0;
    for (const [name, value] of Object.entries({ ...POLICY_DEFAULTS, requiredApprovals }))
      rows.set(`policy:${name}`, value);
  },
  'member.joined': (rows, { subjectId, data }) => void rows.set(`member:${subjectId}`, data['role']),
  'member.role_changed': (rows, { subjectId, data }) =>
    void rows.set(`member:${subjectId}`, fieldsOf(data['after'])['role']),
  'member.removed': removeMember,
  'member.left': removeMember,
  'group.created': changeGroup,
  'group.changed': changeGroup,
  'group.deleted': (rows, { subjectId }) => void rows.delete(`group:${subjectId}`),
  'delegation.created': (rows, { subjectId, data: { delegator, delegate, ...data } }) =>
    void rows.set(`delegation:${subjectId}`, {
      from: fieldsOf(delegator)['id'],
      to: fieldsOf(delegate)['id'],
      starts: data['from'],
      ends: data['until'],
      kinds: data['kinds'],
      workflowKeys: data['workflowKeys'],
      endedAt: null,
    }),
  'delegation.ended': (rows, { subjectId, data: { endedAt } }) => {
    const row = rows.get(`delegation:${subjectId}`);
    if (row !== undefined && endedAt !== undefined) rows.set(`delegation:${subjectId}`, { ...fieldsOf(row), endedAt });
  },
  'policy.changed': (rows, { data }) => {
    for (const [name, value] of Object.entries(fieldsOf(data['after']))) rows.set(`policy:${name}`, value);
  },
  'escalation.changed': (rows, { subjectId, data }) => {
    const { tell, againAfterMinutes } = fieldsOf(data['after']);
    rows.set(`escalation:${subjectId}`, { tell, againAfterMinutes });
  },
  'workflow.people_changed': changePeople,
  'draft.created': createDraft,
  'draft.imported': createDraft,
  'draft.saved': (rows, event) => {
    saveContent(rows, event);
    const { actor, personId, subjectId: draft, data } = event;
    // A save ends its author's own requests for changes to the draft. Earlier servers didn't record this.
    if (data['endsOwnRequest'] !== false) endObjections(rows, { draft, reviewer: personId ?? actor, hash: '' });
  },
  'draft.rebased': saveContent,
  'draft.submitted': setRequirements,
  'draft.requirements_added': setRequirements,
  'draft.discarded': (rows, { subjectId }) => removeDrafts(rows, (id) => id === subjectId),
  'workflow.deleted': (rows, { data }) => removeDrafts(rows, (_id, key) => key === data['key']),
  'workflow.archived': (rows, { data }) => void rows.set(`archived:${String(data['key'])}`, true),
  'draft.approved': (rows, event) => {
    setReview('approved')(rows, event);
    const { actor, onBehalfOf, subjectId: draft, data } = event;
    const reviewer = onBehalfOf ?? (textOf(data['reviewerId']) || actor);
    const ended = endObjections(rows, { draft, reviewer, hash: textOf(data['contentHash']) });
    if (ended.length > 0) rows.set(`ended:${String(data['reviewId'])}`, ended);
  },
  'draft.objection_set_aside': (rows, { subjectId: draft, data }) =>
    void endObjections(rows, {
      draft,
      reviewer: String(data['reviewerId']),
      hash: textOf(data['contentHash']),
    }),
  'draft.approval_withdrawn': (rows, { data }) => {
    for (const id of data['reviewIds'] as string[]) {
      // The requests that the approval ended are open again.
      for (const [key, value] of (rows.get(`ended:${id}`) ?? []) as [string, unknown][]) rows.set(key, value);
      const review = rows.get(`review:${id}`);
      if (review !== undefined) rows.set(`review:${id}`, { ...fieldsOf(review), dismissed: true });
    }
  },
  'draft.changes_requested': (rows, event) => {
    setReview('changes_requested')(rows, event);
    openObjection(rows, event);
  },
  'draft.merged': (rows, { subjectId, data }) => {
    rows.set(`content:${subjectId}`, { key: data['key'], hash: data['contentHash'], version: data['version'] });
    rows.set(`live:${String(data['key'])}`, subjectId);
    // Only the requirements of open drafts affect decisions.
    rows.delete(`requirements:${subjectId}`);
  },
  'version.rolled_back': (rows, { data }) => void rows.set(`live:${String(data['key'])}`, data['toVersionId']),
  // The event contains all rows as they were then, because older events lack some of their data.
  'installation.upgraded': (rows, { data }) => {
    if (data['part'] === 1) {
      rows.clear();
      // Earlier servers, which didn't have these policies, recorded events without them.
      rows.set('policy:passwordMinimum', PASSWORD_MINIMUM);
      rows.set('policy:resolvedComments', false);
      rows.set('policy:reviewRoutes', []);
    }
    for (const [key, value] of Object.entries(fieldsOf(data['rows']))) rows.set(key, value);
  },
};

/** Describes in one sentence each row that differs from its events. */
export function differences(derived: Rows, stored: Rows): string[] {
  // These rows can't be compared here: `runDifference` compares `run:` rows, `ended:` rows aren't stored, and
  // requirements and requests for changes can be older than the compared events.
  const isUnknown = (key: string): boolean =>
    key.startsWith('run:') ||
    key.startsWith('ended:') ||
    ((key.startsWith('requirements:') || key.startsWith('objection:')) && !derived.has(key));
  const words = (key: string): string =>
    key.startsWith('requirements:')
      ? `The stored ${key.replace(':', ' of draft ')} are`
      : `The stored ${key.replace(':', ' ')} is`;
  const keys = new Set([...derived.keys(), ...stored.keys()].filter((key) => !isUnknown(key)));
  return [...keys].flatMap((key) => {
    const [derivedValue, is] = [derived.get(key), stored.get(key)].map((value) => canonicalJson(value ?? null));
    return derivedValue === is ? [] : [`${words(key)} ${is}, but should be ${derivedValue} according to its events`];
  });
}
