import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REVIEW_ACTIONS, type ReviewAction, type ReviewEvent, finishedReviews } from './reviews.ts';

const HOUR = 3_600_000;
type Short = [hours: number, action: string, data?: Record<string, unknown> | null];
const eventsOf = (events: readonly Short[]): ReviewEvent[] =>
  events.map(([hours, action, data = {}]) => ({ action: `draft.${action}` as ReviewAction, at: hours * HOUR, data }));
/** Reviews as `submitted–decided decision`, in hours. */
const reviewsIn = (...events: Short[]): string[] =>
  finishedReviews(eventsOf(events)).map(
    ({ submittedAt, decidedAt, decision }) => `${submittedAt / HOUR}–${decidedAt / HOUR} ${decision}`,
  );
const [one, two] = [{ reviewId: 'one' }, { reviewId: 'two' }];

describe('a finished review', () => {
  test.each<[string, Short[], string[]]>([
    [
      'ends with its last approval, not with the merge',
      [
        [1, 'submitted'],
        [2, 'approved', one],
        [4, 'approved', two],
        [9, 'merged'],
      ],
      ['1–4 approved'],
    ],
    [
      'ends when changes are requested',
      [
        [1, 'submitted'],
        [5, 'changes_requested'],
      ],
      ['1–5 changes_requested'],
    ],
    [
      'is one of several of the same draft',
      [
        [1, 'submitted'],
        [5, 'changes_requested'],
        [7, 'submitted'],
        [8, 'approved', one],
        [8, 'merged'],
      ],
      ['1–5 changes_requested', '7–8 approved'],
    ],
    [
      'ends with an approval that was not withdrawn',
      [
        [1, 'submitted'],
        [2, 'approved', one],
        [3, 'approved', two],
        [4, 'approval_withdrawn', { reviewIds: ['two'] }],
        [5, 'merged'],
      ],
      ['1–2 approved'],
    ],
    [
      'ends with an approval of the final content',
      [
        [1, 'submitted'],
        [2, 'approved', one],
        [3, 'approval_dismissed'],
        [6, 'approved', two],
        [7, 'merged'],
      ],
      ['1–6 approved'],
    ],
    [
      'takes no time if the approval is older than the submission',
      [
        [1, 'submitted'],
        [2, 'approved', one],
        [3, 'withdrawn'],
        [4, 'submitted'],
        [5, 'merged'],
      ],
      ['4–4 approved'],
    ],
    [
      'includes approvals whose events were erased',
      [
        [1, 'submitted'],
        [2, 'approved', null],
        [3, 'approved', null],
        [5, 'merged', null],
      ],
      ['1–3 approved'],
    ],
  ])('%s', (_name, events, expected) => expect(reviewsIn(...events)).toEqual(expected));

  test.each<[string, Short[]]>([
    [
      'a draft that is still in review',
      [
        [1, 'submitted'],
        [2, 'approved', one],
      ],
    ],
    [
      'a draft that was withdrawn',
      [
        [1, 'submitted'],
        [2, 'withdrawn'],
      ],
    ],
    ['a draft that nobody submitted', [[1, 'changes_requested']]],
    [
      'a draft without an approval',
      [
        [1, 'submitted'],
        [2, 'merged'],
      ],
    ],
    [
      'a draft whose approvals were all dismissed',
      [
        [1, 'submitted'],
        [2, 'approved', one],
        [3, 'approval_dismissed'],
        [4, 'merged'],
      ],
    ],
    [
      'a draft that an owner merged in an emergency',
      [
        [1, 'submitted'],
        [2, 'approved', one],
        [3, 'merged', { emergency: true }],
      ],
    ],
  ])('doesn’t exist for %s', (_name, events) => expect(reviewsIn(...events)).toEqual([]));

  const ordered = fc
    .array(fc.record({ action: fc.constantFrom(...REVIEW_ACTIONS), after: fc.nat(9), id: fc.nat(3) }), {
      maxLength: 30,
    })
    .map((steps) => {
      let at = 0;
      return steps.map(({ action, after, id }): ReviewEvent => {
        at += after;
        return { action, at, data: { reviewId: String(id), reviewIds: [String(id)] } };
      });
    });
  test('begins at a submission and ends within the events, before the next one begins', () => {
    fc.assert(
      fc.property(ordered, (events) => {
        const submissions = events.filter(({ action }) => action === 'draft.submitted').map(({ at }) => at);
        let last = -1;
        for (const { submittedAt, decidedAt } of finishedReviews(events)) {
          expect(submissions).toContain(submittedAt);
          expect(submittedAt).toBeGreaterThanOrEqual(last);
          expect(decidedAt).toBeGreaterThanOrEqual(submittedAt);
          last = decidedAt;
        }
      }),
    );
  });
  test('stays the same when more events follow', () => {
    fc.assert(
      fc.property(ordered, fc.nat(30), (events, n) => {
        const earlier = finishedReviews(events.slice(0, n));
        expect(finishedReviews(events).slice(0, earlier.length)).toEqual(earlier);
      }),
    );
  });
});
