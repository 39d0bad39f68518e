import { Ellipsis } from 'lucide-react';
import { NavLink } from 'react-router';
import { TaskCount } from '../features/tasks/parts/task-count.tsx';
import { Icon } from '../ui/icon.tsx';
import { useDestinations } from './navigation.ts';
import { UserMenu } from './user-menu.tsx';

/** The phone's main links; hidden by CSS from 720 px on. */
export function TabBar() {
  const destinations = useDestinations();
  return (
    <nav className="tabs-bottom" data-edge="foot" aria-label="Main, at the bottom">
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
          <button type="button">
            <Icon of={Ellipsis} />
            More
          </button>
        }
      />
    </nav>
  );
}
