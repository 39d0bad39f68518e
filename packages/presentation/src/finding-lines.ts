import type { FindingCode, FindingEffect } from '@stet/domain/drafts';

/** The names of findings by their effect, as headings of lists. */
export const FINDING_GROUPS = {
  loss: 'Controls lost or weakened',
  unknown: 'Changes to judge',
  gain: 'Stricter than before',
  neutral: 'For your information',
} as const satisfies Record<FindingEffect, string>;

/** The effect of a finding in a word or two, shown before its sentence. */
export const FINDING_TAGS = {
  loss: 'Weaker',
  unknown: 'To judge',
  gain: 'Stricter',
  neutral: 'Note',
} as const satisfies Record<FindingEffect, string>;

/** The urgency of the findings. */
export type FindingTone = 'bad' | 'warn' | 'plain';

/**
 * Returns the heading above the findings of a draft, or of the version that it became. For example, 'This draft removes
 * or weakens 2 controls, and has a change that only a person can judge'.
 */
export function findingsHeading(
  findings: readonly { code: FindingCode; effect: FindingEffect }[],
  isMerged: boolean,
): { text: string; tone: FindingTone } {
  const what = isMerged ? 'This version' : 'This draft';
  if (findings.some(({ code }) => code === 'unclassified'))
    return { text: `${what} couldn’t be checked for lost controls`, tone: 'bad' };
  const count = (effect: FindingEffect): number => findings.filter((finding) => finding.effect === effect).length;
  const [losses, unknowns] = [count('loss'), count('unknown')];
  const controls = losses === 1 ? 'a control' : `${losses} controls`;
  const loss = `${isMerged ? 'removed or weakened' : 'removes or weakens'} ${controls}`;
  const changes = unknowns === 1 ? 'a change' : `${unknowns} changes`;
  const unknown = `${isMerged ? 'had' : 'has'} ${changes} that only a person can judge`;
  if (losses > 0) return { text: `${what} ${loss}${unknowns > 0 ? `, and ${unknown}` : ''}`, tone: 'bad' };
  if (unknowns > 0) return { text: `${what} ${unknown}`, tone: 'warn' };
  return { text: `${what} ${isMerged ? 'weakened' : 'weakens'} no controls`, tone: 'plain' };
}
