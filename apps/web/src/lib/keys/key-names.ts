/** Whether the keyboard has ⌘ instead of Ctrl. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

const APPLE: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const OTHERS: Record<string, string> = { Mod: 'Ctrl' };

/** A key's name on this keyboard; `Mod` is ⌘ or Ctrl. */
export const keyName = (key: string): string => (isApple() ? APPLE : OTHERS)[key] ?? key;

/** Whether this keyboard's command modifier (⌘ or Ctrl) is the only one pressed. */
export const hasCommandModifier = ({ metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
