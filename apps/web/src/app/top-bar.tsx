import { Search } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { NotificationBell } from '../features/notifications/components/notification-bell.tsx';
import { TaskCount } from '../features/tasks/components/task-count.tsx';
import { keyName } from '../lib/keys/key-names.ts';
import { paths } from '../lib/paths.ts';
import { useUser } from '../lib/session/signed-in.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button, Pressable } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { useDestinations } from './navigation.ts';
import { OrganizationSwitcher } from './organization-switcher.tsx';
import { showPanel } from './panel.ts';
import { useLogOut } from './use-log-out.ts';
import { UserMenu } from './user-menu.tsx';
import { classNames } from '../ui/class-names.ts';
import styles from './shell.module.css';

/** Brand, main links, search, organization, notifications, user (specification, section 2). */
export function TopBar() {
  const user = useUser();
  const logOut = useLogOut();
  const destinations = useDestinations();
  return (
    <header className={styles.bar} data-edge="head">
      <Link className="mark" to={paths.editor()} aria-label="Stet: open the editor">
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
      <div className={styles.end}>
        <Pressable
          className={styles.find}
          aria-label={`Search and commands (${keyName('Mod')} K)`}
          aria-keyshortcuts="Control+K Meta+K"
          title={`Search and commands (${keyName('Mod')} K)`}
          onClick={() => showPanel('palette')}
        >
          <Icon of={Search} />
          <span className={styles.findKeys}>
            <Kbd>{`${keyName('Mod')} K`}</Kbd>
          </span>
        </Pressable>
        <OrganizationSwitcher />
        <NotificationBell />
        <span className={classNames(styles.sep, styles.wideOnly)} />
        <UserMenu
          target={
            <Pressable className={styles.me} aria-label={`Account and theme: ${user.name}`}>
              <Avatar name={user.name} />
              <span className={classNames('trunc', styles.name)}>{user.name}</span>
            </Pressable>
          }
        />
        <Button tone="quiet" size="sm" className={styles.wideOnly} onClick={logOut}>
          Log out
        </Button>
      </div>
    </header>
  );
}
