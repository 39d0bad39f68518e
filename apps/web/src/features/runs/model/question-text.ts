import { type Mentionable, mentionOf, mentionsIn } from '@stet/domain/notifications';

/** A question that mentions the asked person first. */
export function questionText(person: Mentionable, question: string, people: readonly Mentionable[]): string {
  const text = `${mentionOf(person, people)}: ${question}`;
  // The question's first words could make the name that of someone else.
  const [first] = mentionsIn(text, people);
  return first?.from === 0 && first.userId === person.id ? text : `@${person.email}: ${question}`;
}
