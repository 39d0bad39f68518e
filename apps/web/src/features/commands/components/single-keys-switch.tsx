import { setSingleKeys, useSingleKeys } from '../../../lib/keys/single-keys.ts';
import { CheckRow } from '../../../ui/check-row.tsx';

/** Turns single-letter shortcuts on and off, in this browser. */
export function SingleKeysSwitch() {
  const on = useSingleKeys();
  return (
    <CheckRow
      checked={on}
      onChange={setSingleKeys}
      about="Letters and signs without Ctrl, Cmd or Alt. They never act while you write."
    >
      Single-letter shortcuts
    </CheckRow>
  );
}
