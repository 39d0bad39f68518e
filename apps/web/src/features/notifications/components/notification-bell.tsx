import { Bell } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { Pressable } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Popover } from '../../../ui/popover.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useUnreadCount } from '../api/use-notifications.ts';
import styles from './notification-bell.module.css';

// Loaded on the first click.
const NotificationList = lazy(async () => ({
  default: (await import('./notification-list.tsx')).NotificationList,
}));

const named = (unread: number): string => {
  if (unread === 0) return 'Notifications';
  return `Notifications, ${unread >= 100 ? 'more than 99' : unread} unread`;
};

/** The button that opens the notifications, with the number of unread threads. */
export function NotificationBell() {
  const { data } = useUnreadCount();
  const [isOpen, setOpen] = useState(false);
  const unread = data?.unread ?? 0;
  return (
    <Popover
      open={isOpen}
      onClose={() => setOpen(false)}
      position="bottom-end"
      label="Notifications"
      trapFocus
      target={
        <Pressable
          className={styles.bell}
          aria-label={named(unread)}
          title="Notifications"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={Bell} />
          {unread > 0 && (
            <span className={styles.bellCount} aria-hidden="true">
              {unread >= 100 ? '99+' : unread}
            </span>
          )}
        </Pressable>
      }
    >
      <Suspense fallback={<SkeletonRows rows={3} label="Loading notifications" />}>
        <NotificationList onLeave={() => setOpen(false)} />
      </Suspense>
    </Popover>
  );
}
