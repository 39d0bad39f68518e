import { Play, SquarePen } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { paths } from '../lib/paths.ts';

export type Destination = {
  label: string;
  to: string;
  /** Shown in the phone's tab bar. */
  icon: LucideIcon;
};

/** The links of the top bar in their order (specification, section 2); the phone's tab bar shows them too. */
export const DESTINATIONS: readonly Destination[] = [
  { label: 'Editor', to: paths.editor(), icon: SquarePen },
  { label: 'Runs', to: paths.runs, icon: Play },
];

/** List screens have the phone's tab bar; screens with a bar of their own or one job don't. */
export function hasTabBar({ pathname, search }: { pathname: string; search: string }): boolean {
  if (pathname === paths.editor()) return new URLSearchParams(search).get('mode') !== 'edit';
  return DESTINATIONS.some(({ to }) => to === pathname);
}
