import { BellOff } from 'lucide-react';
import { useRef } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useMarkRead, useNotifications } from '../api/use-notifications.ts';
import { addressOf } from '../model/notification-words.ts';
import { NotificationEntry } from './notification-entry.tsx';
import styles from './notification-list.module.css';

/** The user's latest notifications, newest first. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const list = useNotifications();
  const mark = useMarkRead();
  const all = list.data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const [newest] = all;
  const heading = useRef<HTMLHeadingElement>(null);
  const failure = mark.all.error ?? mark.one.error;
  return (
    <div className={styles.notifications} data-notifications="">
      <div className={styles.notificationsHead}>
        <h2 ref={heading} tabIndex={-1} className="title-sm grow">
          Notifications
        </h2>
        {newest && all.some(({ readAt }) => readAt === null) && (
          <Button
            size="sm"
            tone="quiet"
            busy={mark.all.isPending && 'Marking…'}
            // The button disappears once everything is read. The focus must stay in the list, so that Escape closes it.
            onClick={() => mark.all.mutate(newest.createdAt, { onSuccess: () => heading.current?.focus() })}
          >
            Mark all as read
          </Button>
        )}
        <ButtonLink tone="quiet" size="sm" to={paths.notificationSettings} onClick={onLeave}>
          Preferences
        </ButtonLink>
      </div>
      {failure && <Note tone="bad">{errorSentence(failure, 'Failed to mark as read')}</Note>}
      {list.isPending ? (
        <SkeletonRows rows={3} label="Loading notifications" />
      ) : list.isError && !list.data ? (
        <ErrorState title="Error loading notifications" onRetry={() => void list.refetch()}>
          {errorSentence(list.error, 'Failed to load notifications')}
        </ErrorState>
      ) : all.length === 0 ? (
        <EmptyState icon={BellOff} title="No notifications yet" className={styles.empty}>
          Reviews, tasks and mentions appear here.
        </EmptyState>
      ) : (
        <ul>
          {all.map((each) => (
            <li key={each.id}>
              <NotificationEntry
                of={each}
                onOpen={() => {
                  if (each.readAt === null) mark.one.mutate(each.id);
                  if (addressOf(each) !== null) onLeave();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {list.data && (
        <p className={styles.all}>
          <ButtonLink tone="quiet" size="sm" to={paths.notifications} onClick={onLeave}>
            All notifications
          </ButtonLink>
        </p>
      )}
    </div>
  );
}
