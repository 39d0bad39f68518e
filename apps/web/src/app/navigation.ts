import {
  Bell,
  Blocks,
  BookOpen,
  Building2,
  CircleUserRound,
  Inbox,
  KeyRound,
  Layers,
  Play,
  ScrollText,
  SquarePen,
  UserCheck,
  Users,
  Webhook,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { paths } from '../lib/paths.ts';
import { useUser } from '../lib/session/signed-in.ts';
import type { Permission } from '../lib/session/signed-in.ts';

export type Destination = {
  label: string;
  to: string;
  /** Short label for phones. */
  icon: LucideIcon;
  /** The key that follows G to open the screen. */
  key: string;
  /** The permission needed to see the link. */
  permission?: Permission;
  /** Whether the link is in the phone's tab bar, which has room for only a few; the others are in its menu. */
  onPhone?: 'menu';
  /** The count beside the link. */
  count?: 'tasks';
};

/** The links of the top bar in order (specification, section 2). On a phone they are in the tab bar or its menu. */
const DESTINATIONS: readonly Destination[] = [
  { label: 'Editor', key: 'E', to: paths.editor(), icon: SquarePen },
  { label: 'Runs', key: 'R', to: paths.runs, icon: Play },
  { label: 'Documentation', key: 'D', to: paths.documentation(), icon: BookOpen },
  { label: 'My tasks', key: 'T', to: paths.tasks, icon: Inbox, permission: 'workflow.read', count: 'tasks' },
  { label: 'Workflows', key: 'W', to: paths.workflows(), icon: Layers, onPhone: 'menu' },
  { label: 'Audit trail', key: 'A', to: paths.audit, icon: ScrollText, permission: 'audit.export', onPhone: 'menu' },
];

/** The destinations that the signed-in person may open. */
export function useDestinations(): readonly Destination[] {
  const { orgPermissions } = useUser();
  return DESTINATIONS.filter(({ permission }) => permission === undefined || orgPermissions.includes(permission));
}

/** The settings pages in order, as in the user menu. */
export const SETTINGS = [
  { label: 'Profile', to: paths.profile, icon: CircleUserRound },
  { label: 'Notifications', to: paths.notificationSettings, icon: Bell },
  { label: 'Organization', to: paths.organization, icon: Building2 },
  { label: 'Members', to: paths.members, icon: Users },
  { label: 'Confirmations', to: paths.confirmations, icon: UserCheck },
  { label: 'API tokens', to: paths.apiTokens, icon: KeyRound },
  { label: 'Webhooks', to: paths.webhooks, icon: Webhook },
  { label: 'Integrations', to: paths.integrations, icon: Blocks },
] as const;

/** The builder fills the whole window, without the frame. */
export function isFullScreen({ pathname, search }: { pathname: string; search: string }): boolean {
  return pathname === paths.workflows() && new URLSearchParams(search).has('builder');
}

/** What a person takes for one screen: an address without what only narrows it, and with the mode of the editor. */
export function screenOf(location: { pathname: string; search: string }): string {
  const query = new URLSearchParams(location.search);
  // An address with a draft gets its mode written in on arrival.
  const isEditing = (query.get('mode') ?? (query.has('draftId') ? 'edit' : '')) === 'edit';
  // This address only redirects.
  const pathname = location.pathname === paths.app ? paths.editor() : location.pathname;
  return `${pathname}${isEditing || isFullScreen(location) ? '/edit' : ''}`;
}

/** List screens and settings have the phone's tab bar; screens with their own bar or a single task don't. */
export function hasTabBar({ pathname, search }: { pathname: string; search: string }): boolean {
  if (pathname === paths.editor()) return new URLSearchParams(search).get('mode') !== 'edit';
  if (isFullScreen({ pathname, search })) return false;
  const isSettings = pathname.startsWith('/app/settings/') || pathname === paths.integrations;
  return isSettings || DESTINATIONS.some(({ to }) => to === pathname);
}
