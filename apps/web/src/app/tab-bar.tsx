import { Ellipsis } from 'lucide-react';
import { NavLink } from 'react-router';
import { TaskCount } from '../features/tasks/components/task-count.tsx';
import { Pressable } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useDestinations } from './navigation.ts';
import { UserMenu } from './user-menu.tsx';
import styles from './shell.module.css';

/** The main links on phones, and a menu with the others; CSS hides the bar above 720 px. */
export function TabBar() {
  const destinations = useDestinations();
  return (
    <nav className={styles.tabsBottom} data-edge="foot" aria-label="Main, at the bottom">
      {destinations
        .filter(({ onPhone }) => onPhone === undefined)
        .map(({ label, to, icon, count }) => (
          <NavLink key={to} to={to}>
            <Icon of={icon} />
            {label}
            {count === 'tasks' && <TaskCount />}
          </NavLink>
        ))}
      <UserMenu
        more={destinations.filter(({ onPhone }) => onPhone === 'menu')}
        target={
          <Pressable>
            <Icon of={Ellipsis} />
            More
          </Pressable>
        }
      />
    </nav>
  );
}
