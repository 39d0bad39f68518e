import {
  Bell,
  Blocks,
  BookOpen,
  Building2,
  CircleUserRound,
  Inbox,
  KeyRound,
  Layers,
  Palmtree,
  Play,
  ScrollText,
  SquarePen,
  UserCheck,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { readBuilderAddress, readEditorAddress } from '../features/workflow-editor/model/editor-address.ts';
import { paths } from '../lib/paths.ts';
import { useUser } from '../lib/session/signed-in.ts';
import type { Permission } from '../lib/session/signed-in.ts';

export type Destination = {
  label: string;
  to: string;
  icon: LucideIcon;
  /** The key that follows G to open the screen. */
  key: string;
  /** The permission needed to see the link. */
  permission?: Permission;
  /** `menu`: on phones the link is in the menu, because the tab bar has room for only a few. */
  onPhone?: 'menu';
  /** The count beside the link. */
  count?: 'tasks';
};

/** The top bar's links in order (specification, section 2). On phones they are in the tab bar or in its menu. */
const DESTINATIONS: readonly Destination[] = [
  { label: 'Editor', key: 'E', to: paths.editor(), icon: SquarePen },
  { label: 'Runs', key: 'R', to: paths.runs, icon: Play },
  { label: 'Documentation', key: 'D', to: paths.documentation(), icon: BookOpen },
  { label: 'My tasks', key: 'T', to: paths.tasks, icon: Inbox, permission: 'workflow.read', count: 'tasks' },
  { label: 'Workflows', key: 'W', to: paths.workflows(), icon: Layers, onPhone: 'menu' },
  { label: 'Audit trail', key: 'A', to: paths.audit, icon: ScrollText, permission: 'audit.export', onPhone: 'menu' },
];

/** The destinations that the signed-in person sees. */
export function useDestinations(): readonly Destination[] {
  const { orgPermissions } = useUser();
  return DESTINATIONS.filter(({ permission }) => permission === undefined || orgPermissions.includes(permission));
}

/** The settings pages in order, as in the user menu. The administrators of the installation have one more. */
export const SETTINGS = [
  { label: 'Profile', to: paths.profile, icon: CircleUserRound },
  { label: 'Notifications', to: paths.notificationSettings, icon: Bell },
  { label: 'Away', to: paths.away, icon: Palmtree },
  { label: 'Organization', to: paths.organization, icon: Building2 },
  { label: 'Members', to: paths.members, icon: Users },
  { label: 'Groups', to: paths.groups, icon: UsersRound },
  { label: 'Confirmations', to: paths.confirmations, icon: UserCheck },
  { label: 'API tokens', to: paths.apiTokens, icon: KeyRound },
  { label: 'Webhooks', to: paths.webhooks, icon: Webhook },
  { label: 'Integrations', to: paths.integrations, icon: Blocks },
] as const;

type Address = { pathname: string; search: string };

/** Whether an address opens a workflow in the editor or the builder. Other queries of their paths show a list or demo. */
function opensWorkflow({ pathname, search }: Address): boolean {
  const query = new URLSearchParams(search);
  if (pathname === paths.workflows()) return readBuilderAddress(query) !== null;
  return pathname === paths.editor() && readEditorAddress(query).mode === 'edit';
}

/** Whether an address opens the builder, which fills the whole window, without navigation bars. */
export function isFullScreen(location: Address): boolean {
  const byDefault = location.pathname === paths.workflows() ? 'builder' : 'table';
  const view = new URLSearchParams(location.search).get('view') ?? byDefault;
  return opensWorkflow(location) && view === 'builder';
}

/**
 * Identifies the screen at an address: the path without filters, plus whether an editor is open. Null for `/app`, which
 * only redirects.
 */
export function screenOf(location: Address): string | null {
  if (location.pathname === paths.app) return null;
  return `${location.pathname}${opensWorkflow(location) ? '/edit' : ''}`;
}

/**
 * Whether the screen shows the tab bar on phones: the screens of the navigation, the insights, the notifications and the
 * settings do, unless a workflow is open.
 */
export function hasTabBar(location: Address): boolean {
  const { pathname } = location;
  if (opensWorkflow(location)) return false;
  const isSettings = pathname.startsWith('/app/settings/') || pathname === paths.integrations;
  if (pathname === paths.notifications || pathname === paths.insights()) return true;
  return isSettings || DESTINATIONS.some(({ to }) => to === pathname);
}
