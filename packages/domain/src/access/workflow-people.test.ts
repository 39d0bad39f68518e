import { describe, expect, it } from 'vitest';
import { weakensReviewers } from './workflow-people.ts';

describe('a change of a workflow’s reviewers', () => {
  it.each([
    ['the first reviewer', 'isn’t weaker', { reviewers: [], needsReviewer: false }, ['ada']],
    ['another reviewer', 'isn’t weaker', { reviewers: ['ada'], needsReviewer: true }, ['ada', 'ben']],
    [
      'the same reviewers in another order',
      'isn’t weaker',
      { reviewers: ['ada', 'ben'], needsReviewer: true },
      ['ben', 'ada'],
    ],
    ['nobody, as before', 'isn’t weaker', { reviewers: [], needsReviewer: false }, []],
    ['somebody after all reviewers have left', 'isn’t weaker', { reviewers: [], needsReviewer: true }, ['ada']],
    ['one reviewer less', 'is weaker', { reviewers: ['ada', 'ben'], needsReviewer: true }, ['ben']],
    ['a different reviewer', 'is weaker', { reviewers: ['ada'], needsReviewer: true }, ['ben']],
    ['no reviewers any more', 'is weaker', { reviewers: ['ada'], needsReviewer: true }, []],
    ['no requirement after all reviewers have left', 'is weaker', { reviewers: [], needsReviewer: true }, []],
  ])('to %s %s', (_, verdict, before, after) => {
    expect(weakensReviewers(before, after)).toBe(verdict === 'is weaker');
  });
});
