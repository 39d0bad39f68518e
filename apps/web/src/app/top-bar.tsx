import { Search } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { NotificationBell } from '../features/notifications/parts/notification-bell.tsx';
import { TaskCount } from '../features/tasks/parts/task-count.tsx';
import { keyName } from '../lib/keys/key-names.ts';
import { paths } from '../lib/paths.ts';
import { useUser } from '../lib/session/signed-in.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useDestinations } from './navigation.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { showPanel } from './panel.ts';
import { useLogOut } from './use-log-out.ts';
import { UserMenu } from './user-menu.tsx';

/** Brand, main links, organization, user (specification, section 2). */
export function TopBar() {
  const user = useUser();
  const logOut = useLogOut();
  const destinations = useDestinations();
  return (
    <header className="bar" data-edge="head">
      <Link className="mark" to={paths.editor()} aria-label="Stet, to the editor">
        Stet
      </Link>
      <nav aria-label="Main">
        {destinations.map(({ label, to, count }) => (
          <NavLink key={to} to={to}>
            {label}
            {count === 'tasks' && <TaskCount />}
          </NavLink>
        ))}
      </nav>
      <div className="end">
        <button
          type="button"
          className="find"
          aria-label="Search and commands"
          aria-keyshortcuts="Control+K Meta+K"
          title={`Search and commands (${keyName('Mod')} K)`}
          onClick={() => showPanel('palette')}
        >
          <Icon of={Search} />
          <span className="find-keys">
            <Kbd>{`${keyName('Mod')} K`}</Kbd>
          </span>
        </button>
        <OrganizationSwitcher />
        <NotificationBell />
        <span className="sep wide-only" />
        <UserMenu
          target={
            <button type="button" className="me" aria-label={`Account and theme: ${user.name}`}>
              <Avatar name={user.name} />
              <span className="name trunc">{user.name}</span>
            </button>
          }
        />
        <Button tone="quiet" size="sm" className="wide-only" onClick={logOut}>
          Log out
        </Button>
      </div>
    </header>
  );
}
