/** The key that chooses the option at this index: 1 to 9, then 0 for the tenth. Later options have none. */
export function keyOfOption(index: number): string | null {
  return index < 10 ? String((index + 1) % 10) : null;
}

/** The option that a key chooses, or undefined if there is none. */
export function optionOfKey<Option>(options: readonly Option[], key: string): Option | undefined {
  return options.find((_, index) => keyOfOption(index) === key);
}
