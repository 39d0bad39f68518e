import { canonicalText } from './bytes.ts';
import type { CertifiedFacts } from './certificate-facts.ts';
import { isFields } from './certificate.ts';

/** A claim of a certificate that its events don't support. */
export type ClaimProblem = {
  code:
    | 'unknown_field'
    | 'workflow'
    | 'version'
    | 'content_hash'
    | 'approval_removed'
    | 'approval_added'
    | 'approver'
    | 'approval_date'
    | 'approved_content'
    | 'address_proof'
    | 'marks'
    | 'counts'
    | 'policy'
    | 'emergency_hidden'
    | 'emergency'
    | 'period'
    | 'authors'
    | 'submission'
    | 'merge';
  sentence: string;
};

type Fields = Readonly<Record<string, unknown>>;
const same = (one: unknown, other: unknown): boolean => canonicalText(one) === canonicalText(other);
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

/** Returns the first claim that differs from what the events show; null if there is none. */
export function claimProblem(claimed: Fields, shown: CertifiedFacts): ClaimProblem | null {
  const problem = (code: ClaimProblem['code'], sentence: string): ClaimProblem => ({ code, sentence });
  const unknown = unknownField(claimed, shown, 'facts');
  if (unknown) return unknown;
  const { seq } = shown.merged;
  if (!same(claimed['key'] ?? null, shown.key))
    return problem('workflow', `Event ${seq} merged a version of ${shown.key}, not of ${String(claimed['key'])}.`);
  if (!same(claimed['version'] ?? null, shown.version))
    return problem(
      'version',
      `Event ${seq} merged version ${shown.version}, not version ${String(claimed['version'])}.`,
    );
  if (!same(claimed['contentHash'] ?? null, shown.contentHash))
    return problem('content_hash', `The certificate claims another content hash than event ${seq} recorded.`);
  return (
    approvalProblem(claimed['approvals'], shown) ??
    (same(claimed['policy'] ?? null, shown.policy)
      ? null
      : problem('policy', `Event ${seq} recorded another policy than the certificate claims.`)) ??
    emergencyProblem(claimed['emergencies'], shown) ??
    (same(claimed['periods'] ?? null, shown.periods)
      ? null
      : problem('period', `The events show that the version was in force ${periodsInWords(shown)}, not as claimed.`)) ??
    (same(claimed['authors'] ?? null, shown.authors)
      ? null
      : problem('authors', 'The events show other authors than the certificate claims.')) ??
    (same([claimed['submitted'] ?? null, claimed['summary'] ?? null], [shown.submitted, shown.summary])
      ? null
      : problem('submission', 'The events show another submission or summary than the certificate claims.')) ??
    (same(claimed, shown) ? null : problem('merge', `Event ${seq} shows another merge than the certificate claims.`))
  );
}

function unknownField(claimed: Fields, shown: object, path: string): ClaimProblem | null {
  const unknown = Object.keys(claimed).find((name) => !Object.hasOwn(shown, name));
  if (unknown === undefined) return null;
  return { code: 'unknown_field', sentence: `${path} contains “${unknown}”, which no certificate has.` };
}

function approvalProblem(claims: unknown, { approvals }: CertifiedFacts): ClaimProblem | null {
  const claimed = listOf(claims);
  for (const shown of approvals) {
    const { seq, by } = shown;
    const claim = claimed.find((each) => each['seq'] === seq);
    if (!claim)
      return {
        code: 'approval_removed',
        sentence: `The certificate omits the approval by ${by.name} in event ${seq}.`,
      };
    // `addressProvedBy` is the only field whose absence has a meaning.
    const { addressProvedBy: claimedProof, ...rest } = claim;
    const unknown = unknownField(rest, shown, `The approval in event ${seq}`);
    if (unknown) return unknown;
    const differs = (code: ClaimProblem['code'], what: string): ClaimProblem => ({
      code,
      sentence: `Event ${seq} shows ${what} than the certificate claims.`,
    });
    if (!same(claim['by'] ?? null, by)) return differs('approver', `another approver (${by.name})`);
    if (claim['at'] !== shown.at) return differs('approval_date', `another time of approval (${shown.at})`);
    if (claim['contentHash'] !== shown.contentHash) return differs('approved_content', 'an approval of other content');
    if (!same(claimedProof ?? null, shown.addressProvedBy ?? null))
      return differs('address_proof', 'another proof of the approver’s address');
    if (!same(claim['marks'] ?? null, shown.marks)) return differs('marks', 'other marks of the approval');
    if (!same(claim, shown)) return differs('counts', 'an approval that counts differently');
  }
  const added = claimed.find(({ seq }) => !approvals.some((shown) => shown.seq === seq));
  if (added || claimed.length !== approvals.length) {
    const of = added ? ` in event ${String(added['seq'])}` : '';
    return { code: 'approval_added', sentence: `The certificate claims an approval${of} that no event shows.` };
  }
  return null;
}

function emergencyProblem(claims: unknown, { emergencies }: CertifiedFacts): ClaimProblem | null {
  const claimed = listOf(claims);
  const hidden = emergencies.find(({ seq }) => !claimed.some((claim) => claim['seq'] === seq));
  if (hidden)
    return { code: 'emergency_hidden', sentence: `The certificate omits the emergency in event ${hidden.seq}.` };
  return same(claims ?? null, emergencies)
    ? null
    : { code: 'emergency', sentence: 'The events show another emergency than the certificate claims.' };
}

const periodsInWords = ({ periods }: CertifiedFacts): string =>
  periods.map(({ from, until }) => `from ${from.at}${until ? ` until ${until.at}` : ''}`).join(', ');
