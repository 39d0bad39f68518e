import { useLocation, useNavigate } from 'react-router';
import type { KeyLine } from '../features/commands/model/key-list.ts';
import { CommandPalette } from '../features/commands/components/command-palette.tsx';
import { KeysDialog } from '../features/commands/components/keys-dialog.tsx';
import { useDestinations } from './navigation.ts';
import { type Panel, showPanel } from './panel.ts';
import { useCommands } from './use-commands.ts';

/** The command palette or the list of keyboard shortcuts. */
export function OpenPanel({ panel }: { panel: Panel }) {
  const navigate = useNavigate();
  const location = useLocation();
  const commands = useCommands();
  const destinations = useDestinations();
  const close = () => showPanel(null);
  if (panel === 'palette')
    return <CommandPalette commands={commands} onGo={(to) => void navigate(to)} onClose={close} />;
  const everywhere: KeyLine[] = [
    { keys: ['Mod', 'K'], does: 'Search and commands' },
    { keys: ['/'], does: 'Search and commands (single key)' },
    { keys: ['?'], does: 'This list' },
    ...destinations.map(({ label, key }) => ({ keys: ['G', key], inTurn: true, does: `Go to ${label}` })),
    { keys: ['G', 'S'], inTurn: true, does: 'Go to Settings' },
  ];
  return <KeysDialog everywhere={everywhere} at={location} onClose={close} />;
}
