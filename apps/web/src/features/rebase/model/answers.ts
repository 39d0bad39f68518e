import type { Resolution } from '@stet/contract';
import { conflictId, takesOwnText } from '@stet/domain/drafts';
import type { Answer, ConflictQuestion, MergeConflict } from '@stet/domain/drafts';

/** An answer with what it was given to: where that changes, it is an answer to nothing. */
type GivenAnswer = { answer: Answer; asked: string };
export type GivenAnswers = ReadonlyMap<string, GivenAnswer>;

/** What both sides say in a conflict, as one text to compare by. */
export const askedOf = ({ live, draft }: Pick<MergeConflict, 'live' | 'draft'>): string =>
  JSON.stringify([live, draft]);

/** A question as an answer is given to it. */
export type Asked = { id: string; asked: string };

/** The same answer to each of the questions. */
export function withAnswers(given: GivenAnswers, questions: readonly Asked[], answer: Answer): GivenAnswers {
  const all = new Map(given);
  for (const { id, asked } of questions) all.set(id, { answer, asked });
  return all;
}

/** What of earlier answers still answers these conflicts: those in which both sides say what they said then. */
export function stillValid(given: GivenAnswers, conflicts: readonly MergeConflict[]): GivenAnswers {
  const asked = new Map(conflicts.map((conflict) => [conflictId(conflict), askedOf(conflict)]));
  return new Map([...given].filter(([id, { asked: then }]) => !asked.has(id) || asked.get(id) === then));
}

export const answersOf = (given: GivenAnswers): Map<string, Answer> =>
  new Map([...given].map(([id, { answer }]) => [id, answer]));

/** What is sent: each answered question with its answer. */
export function resolutionsOf(questions: readonly ConflictQuestion[]): Resolution[] {
  return questions.flatMap(({ conflict, answer }): Resolution[] => {
    if (answer === null) return [];
    const about = {
      on: conflict.on,
      field: conflict.field,
      ...(conflict.on === 'step' && { stepId: conflict.stepId }),
    };
    const isOwn = 'value' in answer && takesOwnText(conflict);
    // The form follows from the conflict, which the types of its parts don't say together.
    return [
      {
        ...about,
        ...(isOwn ? { value: answer.value } : { take: 'take' in answer ? answer.take : 'draft' }),
      } as Resolution,
    ];
  });
}
