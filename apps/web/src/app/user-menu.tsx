import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { useNavigate } from 'react-router';
import { Menu } from '../ui/menu.tsx';
import { COLOR_SCHEMES, pickColorScheme, useColorScheme } from '../ui/theme/color-scheme.ts';
import type { ColorScheme } from '../ui/theme/color-scheme.ts';
import { SETTINGS } from './navigation.ts';
import type { Destination } from './navigation.ts';
import { showPanel } from './panel.ts';
import { useLogOut } from './use-log-out.ts';

const SCHEMES = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<ColorScheme, { label: string; icon: LucideIcon }>;

/**
 * A menu that opens from the given button. It contains the `more` destinations, settings, theme, keyboard shortcuts and
 * Log out.
 */
export function UserMenu({ target, more = [] }: { target: ReactElement; more?: readonly Destination[] }) {
  const scheme = useColorScheme();
  const navigate = useNavigate();
  const logOut = useLogOut();
  const themes = COLOR_SCHEMES.map((each) => ({
    ...SCHEMES[each],
    checked: each === scheme,
    onPick: () => pickColorScheme(each),
  }));
  const settings = SETTINGS.map(({ label, to, icon }) => ({ label, icon, onPick: () => void navigate(to) }));
  const others = more.map(({ label, to, icon }) => ({ label, icon, onPick: () => void navigate(to) }));
  return (
    <Menu
      target={target}
      groups={[
        ...(others.length > 0 ? [{ entries: others }] : []),
        { label: 'Settings', entries: settings },
        { label: 'Theme', entries: themes },
        {
          entries: [
            { label: 'Keyboard shortcuts', icon: Keyboard, onPick: () => showPanel('keys') },
            { label: 'Log out', icon: LogOut, onPick: logOut },
          ],
        },
      ]}
    />
  );
}
