import type { WorkflowDocument } from '@stet/contract';
import { formatDuration } from '@stet/domain/sla';
import { isolated } from '@stet/domain/workflows';
import { dayInWords } from '@stet/presentation/moment-in-words';

/** A line above the document. `moments` are the exact times (ISO 8601) of the days in the value. */
type DocumentFact = readonly [label: string, value: string, moments?: readonly string[]];

/**
 * The lines shown above a version's steps, in order. `dayOf` formats a time, by default as a day in UTC, because
 * readers of a Markdown file can be in different time zones.
 */
export function documentFacts(document: WorkflowDocument, dayOf = dayInWords): readonly DocumentFact[] {
  const { key, status, liveSince, mergedAt, inForce, approvals, owner, slaTotalMs, updatedAt } = document;
  const fact = (label: string, moment: string): DocumentFact => [label, dayOf(moment), [moment]];
  const approvalWords = ({ reviewer, onBehalfOf, at, selfApproved }: WorkflowDocument['approvals'][number]): string =>
    `${isolated(reviewer.name)}${onBehalfOf ? ` for ${isolated(onBehalfOf.name)}` : ''} (${dayOf(at)}${selfApproved ? ', self-approved' : ''})`;
  return [
    ['Key', key],
    ['Version', versionWords(document)],
    ...(liveSince ? [fact('Live since', liveSince)] : []),
    ...(status === 'superseded' && mergedAt ? [fact('First live', mergedAt)] : []),
    ...(mergedAt ? [] : [fact('Last changed', updatedAt)]),
    ...(inForce.length === 0 ? [] : [periodsFact(inForce, dayOf)]),
    approvals.length === 0
      ? ['Approved by', nobodyWords(document)]
      : ['Approved by', approvals.map(approvalWords).join(', '), approvals.map(({ at }) => at)],
    ['Owner', owner.name],
    ['Total SLA', slaTotalMs === null ? 'None' : formatDuration(slaTotalMs)],
  ];
}

/** For example `19 August 2026 – 12 October 2026; since 2 November 2026`. */
const periodsFact = (periods: WorkflowDocument['inForce'], dayOf: (moment: string) => string): DocumentFact => [
  'In force',
  periods
    .map(({ from, until }) => (until === null ? `since ${dayOf(from)}` : `${dayOf(from)} – ${dayOf(until)}`))
    .join('; '),
  periods.flatMap(({ from, until }) => (until === null ? [from] : [from, until])),
];

const STATUS = { draft: 'draft', in_review: 'in review', live: 'live', superseded: 'superseded' } as const;

/** For example `v3, live` or `Draft, in review`. */
function versionWords({ label, status, version, archived }: WorkflowDocument): string {
  const state = version === null && status === 'draft' ? 'not submitted' : STATUS[status];
  return `${label}, ${state}${archived ? ', archived' : ''}`;
}

const nobodyWords = ({ version, emergency }: WorkflowDocument): string =>
  version === null ? 'Nobody yet' : emergency ? 'Nobody' : 'Nobody: the policy at that time required no approval';
