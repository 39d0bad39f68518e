/**
 * A shortcut: keys that are pressed together or, with `inTurn`, one after another. `or` has keys that can be pressed
 * instead, or instead of the last key.
 */
export type KeyLine = { keys: readonly string[]; inTurn?: boolean; or?: readonly string[]; does: string };
type KeyGroup = {
  title: string;
  isHere?: (at: { pathname: string; search: string }) => boolean;
  lines: readonly KeyLine[];
};

/** The shortcuts of individual screens (specification, section 2). */
const SCREEN_KEYS: readonly KeyGroup[] = [
  {
    title: 'Editor',
    isHere: ({ pathname, search }) => pathname === '/app/editor' && /[?&]mode=edit/.test(search),
    lines: [
      { keys: ['Mod', 'S'], does: 'Save the draft' },
      { keys: ['Mod', 'Z'], does: 'Undo' },
      { keys: ['Mod', 'Shift', 'Z'], does: 'Redo' },
      { keys: ['Enter'], or: ['F2'], does: 'Edit the cell; Enter commits and moves down' },
      { keys: ['Tab'], does: 'Next cell; while editing the last cell, add a step' },
      { keys: ['Mod', 'Enter'], does: 'Open the step details' },
      { keys: ['Esc'], does: 'Cancel editing the cell' },
      { keys: ['Alt', '↑'], or: ['↓'], does: 'Move the step' },
    ],
  },
  {
    title: 'Review',
    isHere: ({ pathname }) => pathname === '/app/review',
    lines: [
      { keys: ['J'], does: 'Next change' },
      { keys: ['K'], does: 'Previous change' },
      { keys: ['C'], does: 'Comment on the change in focus' },
      { keys: ['Mod', 'Enter'], does: 'Approve (asks first)' },
    ],
  },
  {
    title: 'Runs',
    isHere: ({ pathname }) => pathname === '/app/runs',
    lines: [
      { keys: ['↑'], or: ['↓'], does: 'Select a run' },
      { keys: ['Enter'], does: 'Open the run' },
      { keys: ['Esc'], does: 'Clear the selection' },
      { keys: ['Mod', 'R'], does: 'Refresh' },
    ],
  },
  {
    title: 'Lists of workflows and tasks',
    isHere: ({ pathname }) => pathname === '/app/docs' || pathname === '/app/tasks',
    lines: [
      { keys: ['↑'], or: ['↓'], does: 'Select the previous or next entry' },
      { keys: ['Enter'], does: 'Open the entry' },
      { keys: ['Esc'], does: 'Clear the selection' },
    ],
  },
];

/** The groups of shortcuts, those of the current screen first. */
export function keyGroups(everywhere: readonly KeyLine[], at: { pathname: string; search: string }): KeyGroup[] {
  const isHere = (group: KeyGroup): boolean => group.isHere?.(at) ?? false;
  return [
    ...SCREEN_KEYS.filter(isHere),
    { title: 'Everywhere', lines: everywhere },
    ...SCREEN_KEYS.filter((group) => !isHere(group)),
  ];
}
