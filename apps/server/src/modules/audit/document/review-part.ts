import { type ApprovalMark, markWords } from '@stet/domain/drafts';
import { FINDING_GROUPS } from '@stet/presentation/finding-lines';
import { isolated } from '@stet/domain/workflows';
import type { Block, Pdf } from '../../../kernel/pdf.ts';
import { type TrailDecision, type TrailRun, isSelfApproved } from '../trail.ts';
import { NONE, type Times, personBlocks, personWords, utc } from './words.ts';

/** Writes who reviewed a run's version, and which content they reviewed. */
export async function writeReview(pdf: Pdf, { ofVersion, version }: TrailRun, times: Times): Promise<void> {
  const { contributors, merged_at, merged_by, groups, content_hash, decisions, emergency } = ofVersion;
  await pdf.facts([
    ['Content hash', { text: content_hash, style: 'code' }],
    ['Written by', contributors.length > 0 ? contributors.map(personBlock) : NONE],
    ...(merged_at === null
      ? []
      : ([
          ['Made live by', merged_by ? personBlock(merged_by) : NONE],
          ['Made live at', times.blocks(merged_at, 'body')],
        ] as const)),
    ...(groups.length === 0 ? [] : ([['Groups', groups.map(groupBlock)]] as const)),
    ...findingFacts(ofVersion),
  ]);
  if (decisions.length === 0) {
    await pdf.text({
      text: `Nobody reviewed version ${version}${emergency ? '' : ': the policy at that time required no approval'}.`,
      style: 'body',
    });
    return;
  }
  pdf.space(6);
  const table = await pdf.table([
    { head: 'Decided', share: 99 },
    { head: 'Reviewer', share: 98 },
    { head: 'Decision', share: 96 },
    { head: 'Hash of the content', share: 100 },
    { head: 'Comment', share: 89 },
  ]);
  for (const decision of decisions) {
    await table.row([
      times.blocks(decision.at),
      personBlocks({
        ...decision.reviewer,
        ...(decision.on_behalf_of && { onBehalfOf: decision.on_behalf_of }),
      }),
      decisionBlocks(decision, content_hash),
      { text: decision.content_hash, style: 'code', ink: 'meta' },
      decision.comment === '' ? NONE : { text: decision.comment, style: 'body' },
    ]);
  }
}

/** Names a group that had to approve the version, and the person who approved for it. */
const groupBlock = ({ name, by }: TrailRun['ofVersion']['groups'][number]): Block =>
  by === null
    ? { text: `${isolated(name)}: no approval`, style: 'strong', ink: 'warn' }
    : {
        text: `${isolated(name)}: approved by ${by.delegate ? `${personWords(by.delegate)} for ` : ''}${personWords(by)}`,
        style: 'body',
      };

function findingFacts({ losses, unknowns }: TrailRun['ofVersion']): [string, Block[]][] {
  const fact = (name: string, texts: readonly string[], ink: 'danger' | 'warn'): [string, Block[]][] =>
    texts.length === 0 ? [] : [[name, texts.map((text): Block => ({ text, style: 'strong', ink }))]];
  return [...fact(FINDING_GROUPS.loss, losses, 'danger'), ...fact(FINDING_GROUPS.unknown, unknowns, 'warn')];
}

/**
 * If the version went live without a review before the run started, returns a fact that says so, and whether another
 * owner or admin has ratified this. Otherwise empty.
 */
export function emergencyFact(
  { emergency }: TrailRun['ofVersion'],
  startedAt: number,
  times: Times,
): [string, Block[]][] {
  if (emergency === null || Date.parse(emergency.at) > startedAt) return [];
  const { by, at, reason, status, decider, decidedAt, decidedBecause } = emergency;
  const decided = decider && decidedAt ? ` by ${isolated(decider.name)} at ${times.inWords(decidedAt)}` : '';
  const outcome =
    status === 'confirmed'
      ? `Emergency, ratified${decided}`
      : status === 'refused'
        ? `Emergency, not ratified: refused${decided}${decidedBecause ? `: ${decidedBecause}` : ''}`
        : 'Emergency, not ratified';
  return [
    [
      'Without a review',
      [
        { text: outcome, style: 'strong', ink: status === 'confirmed' ? 'meta' : 'warn' },
        { text: `${isolated(by.name)} at ${times.inWords(at)}: ${reason}`, style: 'body' },
        { text: utc(new Date(at)), style: 'code', ink: 'meta' },
      ],
    ],
  ];
}

function decisionBlocks(decision: TrailDecision, live: string): Block[] {
  const { verdict, dismissed, withdrawn, content_hash } = decision;
  // Old versions have no recorded marks, so a self-approval is recognized by the decision's other data.
  const recorded: ApprovalMark[] = decision.marks ?? (isSelfApproved(decision) ? ['self_approved'] : []);
  const marks = verdict === 'approved' && !dismissed ? recorded : [];
  const word: Block =
    verdict === 'approved'
      ? { text: 'Approved', style: 'strong', ink: dismissed ? 'meta' : 'ok' }
      : { text: 'Changes requested', style: 'strong', ink: 'warn' };
  return [
    word,
    ...(dismissed
      ? [
          {
            text: withdrawn ? 'Withdrawn by the reviewer' : 'Dismissed: the content was changed afterwards',
            style: 'small',
          } as const,
        ]
      : []),
    ...(marks.length > 0 ? [{ text: markWords(marks), style: 'small', ink: 'warn' } as const] : []),
    { text: content_hash === live ? 'For the content of this run' : 'For earlier content', style: 'small' },
  ];
}

const personBlock = (person: { name: string; email: string }): Block => ({ text: personWords(person), style: 'body' });
