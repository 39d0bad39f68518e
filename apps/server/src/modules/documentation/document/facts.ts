import type { WorkflowDocument } from '@stet/contract';
import { formatDuration } from '@stet/domain/sla';
import { dayInWords } from '@stet/presentation/moment-in-words';

/** The facts shown above a version's steps, as labels and values, in order. */
export function documentFacts(document: WorkflowDocument): readonly (readonly [label: string, value: string])[] {
  const { key, status, liveSince, mergedAt, approvals, owner, slaTotalMs, updatedAt } = document;
  return [
    ['Key', key],
    ['Version', versionWords(document)],
    ...(liveSince ? ([['Live since', dayInWords(liveSince)]] as const) : []),
    ...(status === 'superseded' && mergedAt ? ([['First live', dayInWords(mergedAt)]] as const) : []),
    ...(mergedAt ? [] : ([['Last changed', dayInWords(updatedAt)]] as const)),
    ['Approved by', approvals.length === 0 ? nobodyWords(document) : approvals.map(approvalWords).join(', ')],
    ['Owner', owner.name],
    ['Total SLA', slaTotalMs === null ? 'None' : formatDuration(slaTotalMs)],
  ];
}

const STATUS = { draft: 'draft', in_review: 'in review', live: 'live', superseded: 'superseded' } as const;

/** For example `v3, live` or `Draft, in review`. */
function versionWords({ label, status, version, archived }: WorkflowDocument): string {
  const state = version === null && status === 'draft' ? 'not submitted' : STATUS[status];
  return `${label}, ${state}${archived ? ', archived' : ''}`;
}

const approvalWords = ({ reviewer, at, selfApproved }: WorkflowDocument['approvals'][number]): string =>
  `${reviewer.name} (${dayInWords(at)}${selfApproved ? ', self-approved' : ''})`;

const nobodyWords = ({ version, emergency }: WorkflowDocument): string =>
  version === null ? 'Nobody yet' : emergency ? 'Nobody' : 'Nobody: the policy at that time required no approval';
