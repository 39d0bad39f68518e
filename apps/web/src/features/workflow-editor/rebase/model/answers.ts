import type { Resolution } from '@stet/contract';
import { conflictId, takesOwnText } from '@stet/domain/drafts';
import type { Answer, ConflictQuestion, MergeConflict } from '@stet/domain/drafts';

/** An answer, with the values of both sides when it was given. If they change, the answer becomes invalid. */
type GivenAnswer = { answer: Answer; asked: string };
export type GivenAnswers = ReadonlyMap<string, GivenAnswer>;

/** The values of both sides in a conflict, as text for comparison. */
export const askedOf = ({ live, draft }: Pick<MergeConflict, 'live' | 'draft'>): string =>
  JSON.stringify([live, draft]);

/** Identifies the conflict and the values that an answer is given for. */
export type Asked = { id: string; asked: string };

/** Gives the same answer to each of the conflicts. */
export function withAnswers(given: GivenAnswers, questions: readonly Asked[], answer: Answer): GivenAnswers {
  const all = new Map(given);
  for (const { id, asked } of questions) all.set(id, { answer, asked });
  return all;
}

/** The earlier answers, without those to a listed conflict whose values have changed on either side. */
export function stillValid(given: GivenAnswers, conflicts: readonly MergeConflict[]): GivenAnswers {
  const asked = new Map(conflicts.map((conflict) => [conflictId(conflict), askedOf(conflict)]));
  return new Map([...given].filter(([id, { asked: then }]) => !asked.has(id) || asked.get(id) === then));
}

export const answersOf = (given: GivenAnswers): Map<string, Answer> =>
  new Map([...given].map(([id, { answer }]) => [id, answer]));

/** The answers to the resolved conflicts, for the request body. */
export function resolutionsOf(questions: readonly ConflictQuestion[]): Resolution[] {
  return questions.flatMap(({ conflict, answer }): Resolution[] => {
    if (answer === null) return [];
    const about = {
      on: conflict.on,
      field: conflict.field,
      ...(conflict.on === 'step' && { stepId: conflict.stepId }),
    };
    const isOwn = 'value' in answer && takesOwnText(conflict);
    // The type system can't express that the answer matches the conflict.
    return [
      {
        ...about,
        ...(isOwn ? { value: answer.value } : { take: 'take' in answer ? answer.take : 'draft' }),
      } as Resolution,
    ];
  });
}
