import {
  type CertifiedAct,
  type CertifiedPerson,
  type FactEvent,
  type Fields,
  accountOf,
  actOf,
  delegatorOf,
  textOf,
} from './certificate-facts.ts';

/**
 * A group that had to approve the version, as the merge recorded it. It isn't a fact of the certificate, so that
 * certificates issued earlier show it too.
 */
export type CertifiedGroup = {
  /** The group's slug; null for the workflow's own reviewers. */
  group: string | null;
  /** The group's name; null if the merge didn't record it. */
  name: string | null;
  /** The id of the person whose approval counted for the group, also if a delegate gave it; null if there was none. */
  by: string | null;
  /** The approval that counted; null if no event shows it. */
  approval: CertifiedAct | null;
};

/** Returns the groups that had to approve a version, from the events of its certificate, in order. */
export function groupsOf(events: readonly FactEvent[], versionId: string): CertifiedGroup[] {
  const own = events.filter(({ record }) => record.subject.id === versionId);
  const merge = own.find(({ record }) => record.action === 'draft.merged');
  const recorded = merge?.record.data['requirements'];
  if (!merge || !Array.isArray(recorded)) return [];
  const approvals = own.filter(({ seq, record }) => seq < merge.seq && record.action === 'draft.approved');
  return recorded.filter(isFields).map((each) => {
    const by = textOf(each['by']);
    const approval = approvals.findLast((event) => (delegatorOf(event)?.id ?? accountOf(event)) === by);
    return {
      group: textOf(each['group']),
      name: textOf(each['name']),
      by,
      approval: approval ? actOf(approval) : null,
    };
  });
}

/**
 * The person for whom someone acted as their delegate in the event with this number. Like groups, delegators aren't
 * facts of the certificate.
 */
export type CertifiedDelegator = { seq: number; delegator: CertifiedPerson };

/** Returns the delegators in the events of a certificate, in order. */
export const delegatorsOf = (events: readonly FactEvent[]): CertifiedDelegator[] =>
  events.flatMap((event) => {
    const delegator = delegatorOf(event);
    return delegator === null ? [] : [{ seq: event.seq, delegator }];
  });

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
