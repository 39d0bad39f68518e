import { Bell, Building2, Keyboard, LogOut, Monitor, Moon, Plus, Sun } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Command } from '../features/commands/model/command.ts';
import { paths } from '../lib/paths.ts';
import { useCan, useSignedIn } from '../lib/session/signed-in.ts';
import { pickColorScheme } from '../ui/theme/color-scheme.ts';
import { SETTINGS, useDestinations } from './navigation.ts';
import { switchRequest } from './organization-request.ts';
import { showPanel } from './panel.ts';
import { useLogOut } from './use-log-out.ts';

/** The commands that are available on every signed-in screen. */
export function useCommands(): readonly Command[] {
  const { user, source } = useSignedIn();
  const navigate = useNavigate();
  const logOut = useLogOut();
  const destinations = useDestinations();
  const canEdit = useCan('draft.edit');
  // Until the server responds, only the token's data is known, which doesn't include organizations.
  const others = source === 'token' ? [] : user.organizations.filter(({ id }) => id !== user.currentOrgId);
  const go = (to: string) => () => void navigate(to);
  return [
    ...(canEdit
      ? [{ label: 'Create workflow', icon: Plus, words: 'new add', run: go(paths.workflows({ builder: 'new' })) }]
      : []),
    ...destinations.map(({ label, icon, to, key }) => ({
      label: `Go to ${label}`,
      icon,
      keys: ['G', key],
      run: go(to),
    })),
    { label: 'Go to Notifications', icon: Bell, run: go(paths.notifications) },
    ...SETTINGS.map(({ label, icon, to }) => ({
      label: `Settings: ${label}`,
      icon,
      words: 'go preferences',
      run: go(to),
    })),
    ...others.map(({ id, name, type }) => ({
      label: `Switch to ${type === 'individual' ? 'personal account' : name}`,
      icon: Building2,
      words: 'organization team',
      run: () => void navigate(paths.editor(), { state: switchRequest(id) }),
    })),
    { label: 'Theme: System', icon: Monitor, words: 'colour color scheme', run: () => pickColorScheme('system') },
    { label: 'Theme: Light', icon: Sun, words: 'colour color scheme day', run: () => pickColorScheme('light') },
    { label: 'Theme: Dark', icon: Moon, words: 'colour color scheme night', run: () => pickColorScheme('dark') },
    { label: 'Keyboard shortcuts', icon: Keyboard, words: 'keys help', keys: ['?'], run: () => showPanel('keys') },
    { label: 'Log out', icon: LogOut, words: 'sign out leave', run: logOut },
  ];
}
