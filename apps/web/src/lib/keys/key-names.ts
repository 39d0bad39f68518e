/** Whether the keyboard has ⌘ where others have Ctrl. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

const APPLE: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const OTHERS: Record<string, string> = { Mod: 'Ctrl' };

/** A key as this keyboard has it: `Mod` is ⌘ or Ctrl. */
export const keyName = (key: string): string => (isApple() ? APPLE : OTHERS)[key] ?? key;

/** Whether ⌘ or Ctrl, whichever this keyboard commands with, is held alone. */
export const isCommanding = ({ metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (isApple() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey;
