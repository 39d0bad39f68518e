import { describe, expect, it } from 'vitest';
import { weakensReviewers } from './workflow-people.ts';

describe('a change of a workflow’s reviewers', () => {
  it.each([
    ['the first reviewer', { reviewers: [], needsReviewer: false }, ['ada'], false],
    ['another reviewer', { reviewers: ['ada'], needsReviewer: true }, ['ada', 'ben'], false],
    ['the same reviewers in another order', { reviewers: ['ada', 'ben'], needsReviewer: true }, ['ben', 'ada'], false],
    ['nobody, as before', { reviewers: [], needsReviewer: false }, [], false],
    ['somebody after all reviewers have left', { reviewers: [], needsReviewer: true }, ['ada'], false],
    ['one reviewer less', { reviewers: ['ada', 'ben'], needsReviewer: true }, ['ben'], true],
    ['a different reviewer', { reviewers: ['ada'], needsReviewer: true }, ['ben'], true],
    ['no reviewers any more', { reviewers: ['ada'], needsReviewer: true }, [], true],
    ['no requirement after all reviewers have left', { reviewers: [], needsReviewer: true }, [], true],
  ])('to %s: weaker %s', (_, before, after, isWeaker) => {
    expect(weakensReviewers(before, after)).toBe(isWeaker);
  });
});
