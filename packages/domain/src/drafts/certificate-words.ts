import type { Proof } from '../access/proof.ts';
import { APPROVAL_MARKS, markWords } from './approval-marks.ts';
import { visibleText } from '../workflows/hidden-characters.ts';
import { isolated } from '../workflows/isolated.ts';
import type { Blocker } from './refusals.ts';
import type {
  CertifiedAct,
  CertifiedApproval,
  CertifiedDelegator,
  CertifiedEmergency,
  CertifiedFacts,
  CertifiedGroup,
  CertifiedPerson,
} from '../audit/index.ts';

/** A fact of a certificate in words: its label, and one or more lines. */
export type CertificateLine = readonly [label: string, lines: readonly string[]];

/** Formats a moment. */
type When = (at: string) => string;
/** Names who did something, with the person for whom they did it as their delegate. */
type Who = (act: CertifiedAct) => string;

/**
 * Returns a certificate's facts in words, the groups that had to approve, and for whom delegates acted. Every act and
 * period is given with the number of the event that shows it. `size` is the number of events that the checkpoint
 * covers.
 */
export function certificateInWords(
  facts: CertifiedFacts,
  {
    size,
    groups,
    delegators,
    when,
  }: { size: number; groups: readonly CertifiedGroup[]; delegators: readonly CertifiedDelegator[]; when: When },
): CertificateLine[] {
  const who: Who = ({ by, seq }) => {
    const delegator = delegators.find((each) => each.seq === seq)?.delegator;
    return `${certifiedPersonWords(by)}${delegator ? ` for ${certifiedPersonWords(delegator)}` : ''}`;
  };
  const { approvals, authors, contentHash, emergencies, merged, policy, submitted, summary } = facts;
  const act = (verb: string, one: CertifiedAct): string => `${who(one)}, ${verb}${when(one.at)} (event ${one.seq})`;
  return [
    ['Content hash', [contentHash]],
    ['In force', periodWords(facts, size, when)],
    ['Written by', authors.map((author) => act('first saved ', author))],
    ...(submitted ? ([['Submitted by', [act('', submitted)]]] as const) : []),
    ...(summary === null ? [] : ([['Reason', [written(summary)]]] as const)),
    ['Approvals', approvals.length === 0 ? ['None'] : approvals.map((approval) => approvalWords(approval, who, when))],
    ...(groups.length === 0
      ? []
      : ([['Groups', groups.map((group) => groupWords(group, merged.seq, { who, when }))]] as const)),
    ['Policy', [policyWords(policy)]],
    ['Merged by', [act('', merged)]],
    ...(emergencies.length === 0
      ? []
      : ([['Emergency', emergencies.map((emergency) => emergencyWords(emergency, when))]] as const)),
  ];
}

/** Returns a person's text so that its characters can't hide or reorder the words around it. */
const written = (text: string): string => isolated(visibleText(text));

/** Returns a person or token in words; a token has no address. */
export const certifiedPersonWords = ({ name, email }: Omit<CertifiedPerson, 'id'>): string =>
  email ? `${written(name)} <${visibleText(email)}>` : written(name);

const ENDS = {
  merge: 'another version was merged',
  rollback: 'a rollback to another version',
  archive: 'the workflow was archived',
} as const;

function periodWords({ periods }: CertifiedFacts, size: number, when: When): string[] {
  return periods.map(({ from, until }) => {
    const start = `${when(from.at)} (event ${from.seq})`;
    return until
      ? `From ${start} until ${when(until.at)} (event ${until.seq}: ${ENDS[until.because]})`
      : `Since ${start}; no end recorded up to event ${size}`;
  });
}

const PROOFS: Record<Proof, string> = {
  mailbox: 'address proved by a code or link sent to it',
  provider: 'address proved by the identity provider',
  earlier: 'account from before addresses were proved',
  manager: 'confirmed by another owner or admin',
  founder: 'founder of the organization',
};
const BECAUSE = {
  withdrawn: 'does not count: withdrawn',
  changed_their_mind: 'does not count: replaced by a later decision of the same person',
  draft_changed: 'does not count: the draft was changed afterwards',
  not_counted: 'did not count for the merge',
} as const;

function approvalWords(approval: CertifiedApproval, who: Who, when: When): string {
  const { at, seq, counts, because, marks, addressProvedBy } = approval;
  const known = APPROVAL_MARKS.filter((mark) => marks.includes(mark));
  const parts = [
    because ? BECAUSE[because] : counts === null ? 'whether it counted was not recorded' : 'counted',
    addressProvedBy === undefined
      ? 'how the address was proved was not recorded'
      : addressProvedBy === null
        ? 'address not proved at that time'
        : ((PROOFS as Partial<Record<string, string>>)[addressProvedBy] ?? addressProvedBy),
    ...(known.length > 0 ? [`marks: ${markWords(known)}`] : []),
  ];
  return `${who(approval)}, ${when(at)} (event ${seq}): ${parts.join('; ')}`;
}

function groupWords(
  { group, name, by, approval }: CertifiedGroup,
  mergedIn: number,
  { who, when }: { who: Who; when: When },
): string {
  const named = written(name ?? group ?? 'Reviewers of the workflow');
  if (by === null) return `${named}: no approval (event ${mergedIn})`;
  return approval
    ? `${named}: approved by ${who(approval)}, ${when(approval.at)} (event ${approval.seq})`
    : `${named}: approved by ${visibleText(by)} (event ${mergedIn})`;
}

function policyWords({ requiredApprovals, strictReview }: CertifiedFacts['policy']): string {
  const needed =
    requiredApprovals === null
      ? 'The number of required approvals was not recorded'
      : `${requiredApprovals} required ${requiredApprovals === 1 ? 'approval' : 'approvals'}`;
  return strictReview === null ? needed : `${needed}, strict review ${strictReview ? 'on' : 'off'}`;
}

/** The blockers that an emergency merge ignored. An emergency rollback records sentences instead. */
const PASSED_OVER: Record<Blocker['code'], string> = {
  out_of_date: 'the draft was based on an older version',
  not_submitted: 'the draft was not submitted',
  changes_requested: 'changes were requested',
  needs_approvals: 'approvals were missing',
  needs_group_approval: 'the approval of a group was missing',
  needs_reviewer_approval: 'the approval of a reviewer of the workflow was missing',
  simulated_steps: 'steps were simulated',
  unresolved_comments: 'comments were unresolved',
  content_incomplete: 'the content was incomplete',
};

function emergencyWords(emergency: CertifiedEmergency, when: When): string {
  const { act, by, at, seq, reason, pastReview, ratified, refused } = emergency;

  const outcome = ratified
    ? `ratified by ${certifiedPersonWords(ratified.by)}, ${when(ratified.at)} (event ${ratified.seq})`
    : refused
      ? `refused by ${certifiedPersonWords(refused.by)}, ${when(refused.at)} (event ${refused.seq})`
      : 'not ratified';
  const because = reason === null ? '' : `, because: ${written(reason)}`;
  const past = pastReview
    .map((each) => (PASSED_OVER as Partial<Record<string, string>>)[each] ?? visibleText(each))
    .join(', ');
  const passed = past === '' ? '' : `; passed over: ${past}`;
  return `${act === 'merge' ? 'Merged' : 'Rolled back to'} without the required review by ${certifiedPersonWords(by)}, ${when(at)} (event ${seq})${because}${passed}; ${outcome}`;
}

/** The facts that the audit tree proves, and those that only the server's signature states. */
export const certificateLimits = (size: number): { proved: string; stated: string } => ({
  proved:
    'Each fact with an event number follows from an event that the signed checkpoint covers, and the content is the content that was merged.',
  stated: `The server’s signature alone states that no other event up to event ${size} is about this version, and who issued the certificate for which organization. Only an export of the whole audit trail proves that no event is missing. Nothing is known about later events.`,
});
