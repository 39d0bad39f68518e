import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyContent } from '../workflows/content.arbitrary.ts';
import type { Step } from '../steps/index.ts';
import type { WorkflowContent } from '../workflows/content.ts';
import { mergeContent } from './merge.ts';
import {
  type Answer,
  conflictId,
  type ConflictQuestion,
  type MergeSides,
  resolveConflicts,
  type ResolvedMerge,
  takesOwnText,
} from './resolve-conflicts.ts';
import { anAnswer, DRAFT, LIVE, sides } from './sides.arbitrary.ts';

/** Answers every question, including those raised by earlier answers. */
function resolveAll(given: MergeSides, answer: (question: ConflictQuestion) => Answer): ResolvedMerge {
  const all = new Map<string, Answer>();
  for (let round = 0; round < 20; round += 1) {
    const resolved = resolveConflicts(given, all);
    if (resolved.open === 0) return resolved;
    for (const question of resolved.questions) if (!all.has(question.id)) all.set(question.id, answer(question));
  }
  throw new Error('conflicts are still open after 20 rounds');
}

describe('resolving any conflicts', () => {
  it('equals the plain merge if there are no answers', () => {
    fc.assert(
      fc.property(sides, (given) => {
        const merged = mergeContent(given.base, given.live, given.draft);
        const { content, questions, open } = resolveConflicts(given, new Map());
        expect(content).toEqual(merged.content);
        expect(questions.map(({ id }) => id)).toEqual([...new Set(merged.conflicts.map(conflictId))]);
        expect(open).toBe(questions.length);
      }),
    );
  });

  it('leaves no conflict open, keeps or removes each step as chosen, and uses the chosen texts, types and settings', () => {
    fc.assert(
      fc.property(sides, fc.func(anAnswer), (given, pick) => {
        const chosen = (question: ConflictQuestion): Answer => {
          const answer = pick(question.id);
          return 'value' in answer && !takesOwnText(question.conflict) ? DRAFT : answer;
        };
        const { content, questions } = resolveAll(given, chosen);
        for (const { conflict, answer } of questions) {
          if (answer === null) throw new Error('an open question');
          const wanted = 'value' in answer ? answer.value : conflict[answer.take];
          if (conflict.on === 'metadata') expect(content.metadata[conflict.field]).toBe(wanted);
          if (conflict.on !== 'step') continue;
          const step = content.steps.find(({ id }) => id === conflict.stepId);
          if (conflict.field === 'step') expect(step === undefined).toBe(wanted === null);
          else if (takesOwnText(conflict)) expect(step?.[conflict.field]).toBe(wanted);
          // The type and the settings are one question, so they come from the same side.
          else if (conflict.field === 'type' || conflict.field === 'config') {
            const side = given['take' in answer ? answer.take : 'draft'].steps.find(({ id }) => id === conflict.stepId);
            expect({ type: step?.type, config: step?.config }).toEqual({ type: side?.type, config: side?.config });
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps steps unique and links valid for any answers', () => {
    fc.assert(
      fc.property(sides, fc.func(anAnswer), (given, pick) => {
        const { steps } = resolveConflicts(
          given,
          new Map(resolveConflicts(given, new Map()).questions.map(({ id }) => [id, pick(id)])),
        ).content;
        const ids = steps.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(steps.flatMap(({ next }) => next).filter((target) => !ids.includes(target))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same metadata and step fields if the sides and the answers are swapped', () => {
    fc.assert(
      fc.property(sides, fc.func(anAnswer), (given, pick) => {
        const mirrored = (answer: Answer): Answer =>
          'value' in answer ? answer : answer.take === 'live' ? DRAFT : LIVE;
        const valid = (question: ConflictQuestion, answer: Answer): Answer =>
          'value' in answer && !takesOwnText(question.conflict) ? LIVE : answer;
        const there = resolveAll(given, (question) => valid(question, pick(question.id)));
        const back = resolveAll({ base: given.base, live: given.draft, draft: given.live }, (question) =>
          mirrored(valid(question, pick(question.id))),
        );
        expect(fieldsOf(back.content)).toEqual(fieldsOf(there.content));
      }),
      { numRuns: 500 },
    );
  });

  it('ignores answers to questions that aren’t conflicts', () => {
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
        expect(resolveConflicts({ base: from, live: from, draft }, everything).content).toEqual(draft);
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
