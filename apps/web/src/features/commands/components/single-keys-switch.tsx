import { setSingleKeys, useSingleKeys } from '../../../lib/keys/single-keys.ts';
import { CheckRow } from '../../../ui/check-row.tsx';

/** Turns single-letter shortcuts on or off in this browser. */
export function SingleKeysSwitch() {
  const on = useSingleKeys();
  return (
    <CheckRow
      checked={on}
      onChange={setSingleKeys}
      about="Shortcuts without Ctrl, Cmd or Alt. They’re off while you type."
    >
      Single-letter shortcuts
    </CheckRow>
  );
}
