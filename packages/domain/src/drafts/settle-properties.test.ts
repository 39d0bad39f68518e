import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent } from '../workflows/content.arbitrary.ts';
import type { Step, WorkflowContent } from '../workflows/step.ts';
import { mergeContent } from './merge.ts';
import {
  type Answer,
  conflictId,
  type ConflictQuestion,
  type MergeSides,
  settleConflicts,
  type Settlement,
  takesOwnText,
} from './settle.ts';
import { anAnswer, DRAFT, LIVE, sides } from './sides.arbitrary.ts';

/** Answers everything, also what the answers bring up. */
function settleAll(given: MergeSides, answer: (question: ConflictQuestion) => Answer): Settlement {
  const all = new Map<string, Answer>();
  for (let round = 0; round < 20; round += 1) {
    const settlement = settleConflicts(given, all);
    if (settlement.open === 0) return settlement;
    for (const question of settlement.questions) if (!all.has(question.id)) all.set(question.id, answer(question));
  }
  throw new Error('it never ends');
}

describe('settling any conflicts', () => {
  it('is the merge itself without answers', () => {
    fc.assert(
      fc.property(sides, (given) => {
        const merged = mergeContent(given.base, given.live, given.draft);
        const { content, questions, open } = settleConflicts(given, new Map());
        expect(content).toEqual(merged.content);
        expect(questions.map(({ id }) => id)).toEqual([...new Set(merged.conflicts.map(conflictId))]);
        expect(open).toBe(questions.length);
      }),
    );
  });

  it('leaves nothing open, and each field as it was answered', () => {
    fc.assert(
      fc.property(sides, fc.func(anAnswer), (given, pick) => {
        const chosen = (question: ConflictQuestion): Answer => {
          const answer = pick(question.id);
          return 'value' in answer && !takesOwnText(question.conflict) ? DRAFT : answer;
        };
        const { content, questions } = settleAll(given, chosen);
        for (const { conflict, answer } of questions) {
          if (answer === null) throw new Error('an open question');
          const wanted = 'value' in answer ? answer.value : conflict[answer.take];
          if (conflict.on === 'metadata') expect(content.metadata[conflict.field]).toBe(wanted);
          if (conflict.on !== 'step') continue;
          const settled = content.steps.find(({ id }) => id === conflict.stepId);
          if (conflict.field === 'step') expect(settled === undefined).toBe(wanted === null);
          else if (takesOwnText(conflict)) expect(settled?.[conflict.field]).toBe(wanted);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has unique steps and no link to a step that is gone, whatever is answered', () => {
    fc.assert(
      fc.property(sides, fc.func(anAnswer), (given, pick) => {
        const { steps } = settleConflicts(
          given,
          new Map(settleConflicts(given, new Map()).questions.map(({ id }) => [id, pick(id)])),
        ).content;
        const ids = steps.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(steps.flatMap(({ next }) => next).filter((target) => !ids.includes(target))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('does not depend on which side is called which, in the fields of the steps', () => {
    fc.assert(
      fc.property(sides, fc.func(anAnswer), (given, pick) => {
        const mirrored = (answer: Answer): Answer =>
          'value' in answer ? answer : answer.take === 'live' ? DRAFT : LIVE;
        const valid = (question: ConflictQuestion, answer: Answer): Answer =>
          'value' in answer && !takesOwnText(question.conflict) ? LIVE : answer;
        const there = settleAll(given, (question) => valid(question, pick(question.id)));
        const back = settleAll({ base: given.base, live: given.draft, draft: given.live }, (question) =>
          mirrored(valid(question, pick(question.id))),
        );
        expect(fieldsOf(back.content)).toEqual(fieldsOf(there.content));
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing by answers to what is no conflict', () => {
    fc.assert(
      fc.property(anyContent, anyContent, fc.constantFrom(LIVE, DRAFT), (from, draft, answer) => {
        const everything = new Map(
          draft.steps.flatMap(({ id }) =>
            (['title', 'sla', 'next', 'step', 'type'] as const).map((field) => [
              conflictId({ on: 'step', stepId: id, field }),
              answer,
            ]),
          ),
        );
        expect(settleConflicts({ base: from, live: from, draft }, everything).content).toEqual(draft);
      }),
    );
  });
});

function fieldsOf({ metadata, steps }: WorkflowContent): object {
  const fields = ({ id, title, description, assignee, sla, type, config }: Step): object => ({
    id,
    title,
    description,
    assignee,
    sla,
    type,
    config,
  });
  return { metadata, steps: steps.toSorted((one, two) => (one.id < two.id ? -1 : 1)).map(fields) };
}
