import type { NameEntry } from '@stet/domain/expressions';
import { Braces } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import type { MenuGroup } from '../../ui/menu.tsx';

type InsertNameProps = {
  names: readonly NameEntry[];
  /** Returns the text to insert for a name. */
  textOf: (name: NameEntry) => string;
  onInsert: (text: string) => void;
};

/** A menu with more entries would be too long. In the code editors, completion offers all names. */
const MENU_ENTRIES = 40;

/**
 * The names that the step can use, grouped by the step they come from. The run's own names are first, then those of the
 * nearest step.
 */
export function InsertName({ names, textOf, onInsert }: InsertNameProps) {
  const groups = new Map<string, MenuGroup & { entries: { label: string; onPick: () => void }[] }>();
  const run = names.filter(({ path }) => path[0] === 'run');
  const outputs = names.filter(({ path }) => path[0] === 'outputs').toReversed();
  for (const name of [...run, ...outputs].slice(0, MENU_ENTRIES)) {
    const key = name.path[0] === 'run' ? 'run' : (name.path[1] ?? '');
    const group = groups.get(key) ?? { label: name.path[0] === 'run' ? 'This run' : name.detail, entries: [] };
    group.entries.push({ label: name.label, onPick: () => onInsert(textOf(name)) });
    groups.set(key, group);
  }
  const target = (
    <Button size="sm" tone="quiet" icon={Braces}>
      Insert
    </Button>
  );
  return <Menu target={target} groups={[...groups.values()]} />;
}
