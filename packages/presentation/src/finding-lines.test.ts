import { FINDING_EFFECTS, type FindingEffect, UNCLASSIFIED } from '@stet/domain/drafts';
import { describe, expect, it } from 'vitest';
import { FINDING_GROUPS, FINDING_TAGS, findingsHeading } from './finding-lines.ts';

const withEffects = (...effects: FindingEffect[]) =>
  effects.map((effect) => ({ code: 'people_changed', effect }) as const);

describe('the heading of findings', () => {
  it.each<[effects: FindingEffect[], draft: string, version: string, tone: string]>([
    [[], 'This draft weakens no controls', 'This version weakened no controls', 'plain'],
    [['gain', 'neutral'], 'This draft weakens no controls', 'This version weakened no controls', 'plain'],
    [['loss'], 'This draft removes or weakens a control', 'This version removed or weakened a control', 'bad'],
    [
      ['loss', 'loss', 'unknown', 'gain'],
      'This draft removes or weakens 2 controls, and has a change that only a person can judge',
      'This version removed or weakened 2 controls, and had a change that only a person can judge',
      'bad',
    ],
    [
      ['unknown', 'unknown'],
      'This draft has 2 changes that only a person can judge',
      'This version had 2 changes that only a person can judge',
      'warn',
    ],
  ])('of %j is “%s”', (effects, draft, version, tone) => {
    expect(findingsHeading(withEffects(...effects), false)).toEqual({ text: draft, tone });
    expect(findingsHeading(withEffects(...effects), true)).toEqual({ text: version, tone });
  });

  it('says that the check failed', () => {
    const text = 'This draft couldn’t be checked for lost controls';
    expect(findingsHeading([UNCLASSIFIED], false)).toEqual({ text, tone: 'bad' });
  });

  it('has different words for each effect', () => {
    for (const words of [FINDING_GROUPS, FINDING_TAGS])
      expect(new Set(FINDING_EFFECTS.map((effect) => words[effect])).size).toBe(FINDING_EFFECTS.length);
  });
});
