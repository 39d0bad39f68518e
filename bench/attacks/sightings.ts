import { TEXT_FIELDS, wordsIn } from './canary-fields.ts';

/** Where each canary came up, by its word. */
export class Sightings {
  readonly #places = new Map<string, Set<string>>();

  /** How many pairs of a canary and a place there are. */
  size = 0;

  /** Takes down which canaries stand in a text; answers how many of them there are. */
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
