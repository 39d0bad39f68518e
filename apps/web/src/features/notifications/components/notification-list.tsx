import type { Notification } from '@stet/contract';
import { BellOff } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { Button, Pressable } from '../../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useMarkRead, useNotifications } from '../api/use-notifications.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './notification-list.module.css';

/** The user's notifications, newest first. Opening one marks it as read. */
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
        <EmptyState icon={BellOff} title="No notifications yet">
          Reviews, tasks and mentions appear here.
        </EmptyState>
      ) : (
        <ul>
          {all.map((each) => (
            <li key={each.id}>
              <Entry
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
      {list.hasNextPage && (
        <Button
          size="sm"
          tone="quiet"
          busy={list.isFetchingNextPage && 'Loading…'}
          onClick={() => void list.fetchNextPage()}
        >
          Show older
        </Button>
      )}
    </div>
  );
}

/** The page that a notification links to, or null if there is none. */
const addressOf = ({ kind, draft, runId }: Notification): string | null =>
  kind === 'trail_broken' ? paths.audit : draft ? paths.review(draft) : runId === null ? null : paths.run(runId);

function Entry({ of: notification, onOpen }: { of: Notification; onOpen: () => void }) {
  const { title, body, createdAt, readAt } = notification;
  const address = addressOf(notification);
  const isUnread = readAt === null;
  const content = (
    <>
      <span className="med">
        {isUnread && <span className="vh">Unread: </span>}
        {title}
      </span>
      {body !== '' && (
        <span className={classNames('two', styles.notificationBody)} title={body}>
          {body}
        </span>
      )}
      <span className="muted xs">
        <RelativeTime at={createdAt} />
      </span>
    </>
  );
  const className = classNames(styles.notification, isUnread && styles.unread);
  return address === null ? (
    <Pressable className={className} onClick={onOpen}>
      {content}
    </Pressable>
  ) : (
    <Link className={className} to={address} onClick={onOpen}>
      {content}
    </Link>
  );
}
