import { TEXT_FIELDS, wordsIn } from './canary-fields.ts';

/** The places where each canary appeared, by the canary's word. */
export class Sightings {
  readonly #places = new Map<string, Set<string>>();

  /** The number of pairs of a canary and a place. */
  size = 0;

  /** Records the canaries in `text`. Returns how many there are. */
  look(place: string, text: string): number {
    const words = wordsIn(text);
    for (const word of words) {
      const places = this.#places.get(word) ?? new Set();
      if (!places.has(place)) this.size += 1;
      this.#places.set(word, places.add(place));
    }
    return words.length;
  }

  placesOf(name: string): readonly string[] {
    return [...(this.#places.get(TEXT_FIELDS.get(name)?.word ?? '') ?? [])];
  }
}
