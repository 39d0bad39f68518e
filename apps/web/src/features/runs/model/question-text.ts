import { type Mentionable, mentionOf, mentionsIn } from '@stet/domain/notifications';

/** A question that mentions the asked person first. */
export function questionText(person: Mentionable, question: string, people: readonly Mentionable[]): string {
  const text = `${mentionOf(person, people)}: ${question}`;
  // The name and the question's first words together could be someone else's name.
  const [first] = mentionsIn(text, people);
  return first?.from === 0 && first.userId === person.id ? text : `@${person.email}: ${question}`;
}
