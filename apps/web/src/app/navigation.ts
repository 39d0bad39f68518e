import { BookOpen, Inbox, Layers, Play, ScrollText, SquarePen } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { paths } from '../lib/paths.ts';
import { useUser } from '../lib/session/signed-in.ts';
import type { Permission } from '../lib/session/signed-in.ts';

export type Destination = {
  label: string;
  to: string;
  /** Shown on a phone. */
  icon: LucideIcon;
  /** What follows G on the way there by keyboard. */
  key: string;
  /** Who doesn't have it isn't offered the way. */
  permission?: Permission;
  /** The phone's tab bar has room for a few; the others are in its menu. */
  onPhone?: 'menu';
  /** What is counted beside the link. */
  count?: 'tasks';
};

/** The links of the top bar in their order (specification, section 2); the phone's tab bar or its menu has them too. */
const DESTINATIONS: readonly Destination[] = [
  { label: 'Editor', key: 'E', to: paths.editor(), icon: SquarePen },
  { label: 'Runs', key: 'R', to: paths.runs, icon: Play },
  { label: 'Documentation', key: 'D', to: paths.documentation(), icon: BookOpen },
  { label: 'My tasks', key: 'T', to: paths.tasks, icon: Inbox, permission: 'workflow.read', count: 'tasks' },
  { label: 'Workflows', key: 'W', to: paths.workflows(), icon: Layers, onPhone: 'menu' },
  { label: 'Audit trail', key: 'A', to: paths.audit, icon: ScrollText, permission: 'audit.export', onPhone: 'menu' },
];

/** The destinations that are open to the person who is signed in. */
export function useDestinations(): readonly Destination[] {
  const { orgPermissions } = useUser();
  return DESTINATIONS.filter(({ permission }) => permission === undefined || orgPermissions.includes(permission));
}

/** The builder has the whole window; nothing of the frame is behind it. */
export function isFullScreen({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname === paths.workflows() && new URLSearchParams(search).has('builder');
}

/** List screens and the settings have the phone's tab bar; screens with a bar of their own or one job don't. */
export function hasTabBar({ pathname, search }: { pathname: string; search: string }): boolean {
  if (pathname === paths.editor()) return new URLSearchParams(search).get('mode') !== 'edit';
  if (isFullScreen({ pathname, search })) return false;
  const isSettings = pathname.startsWith('/app/settings/') || pathname === paths.integrations;
  return isSettings || DESTINATIONS.some(({ to }) => to === pathname);
}
