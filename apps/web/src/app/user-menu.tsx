import { LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Menu } from '../ui/menu.tsx';
import { COLOR_SCHEMES, pickColorScheme, readColorScheme } from '../ui/theme/color-scheme.ts';
import type { ColorScheme } from '../ui/theme/color-scheme.ts';
import { useLogOut } from './use-log-out.ts';

const SCHEMES = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<ColorScheme, { label: string; icon: LucideIcon }>;

/** Theme and the way out, behind the given button. */
export function UserMenu({ target }: { target: ReactElement }) {
  const [scheme, setScheme] = useState(readColorScheme);
  const logOut = useLogOut();
  const themes = COLOR_SCHEMES.map((each) => ({
    ...SCHEMES[each],
    checked: each === scheme,
    onPick: () => {
      pickColorScheme(each);
      setScheme(each);
    },
  }));
  return (
    <Menu
      target={target}
      groups={[{ label: 'Theme', entries: themes }, { entries: [{ label: 'Log out', icon: LogOut, onPick: logOut }] }]}
    />
  );
}
