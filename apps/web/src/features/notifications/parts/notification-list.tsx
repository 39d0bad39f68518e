import type { Notification } from '@stet/contract';
import { BellOff } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { ButtonLink } from '../../../ui/button-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { useMarkRead, useNotifications } from '../api/use-notifications.ts';
import './notification-list.css';

/** What one was told, newest first; opening one marks it as read. */
export function NotificationList({ onLeave }: { onLeave: () => void }) {
  const list = useNotifications();
  const mark = useMarkRead();
  const all = list.data?.pages.flatMap(({ notifications }) => notifications) ?? [];
  const [newest] = all;
  const heading = useRef<HTMLHeadingElement>(null);
  const failure = mark.all.error ?? mark.one.error;
  return (
    <div className="notifications">
      <div className="notifications-head">
        <h2 ref={heading} tabIndex={-1} className="title-sm grow">
          Notifications
        </h2>
        {newest && all.some(({ readAt }) => readAt === null) && (
          <Button
            size="sm"
            tone="quiet"
            busy={mark.all.isPending && 'Marking…'}
            // The button goes once nothing is unread; the focus, and Escape with it, stays in the list.
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
          Reviews, tasks and mentions that wait for you appear here.
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
          Older ones
        </Button>
      )}
    </div>
  );
}

/** The page that shows what someone was told of; null where there is none. */
const addressOf = ({ draft, runId }: Notification): string | null =>
  draft ? paths.review(draft) : runId === null ? null : paths.run(runId);

function Entry({ of: notification, onOpen }: { of: Notification; onOpen: () => void }) {
  const { title, body, createdAt, readAt } = notification;
  const address = addressOf(notification);
  const isUnread = readAt === null;
  const said = (
    <>
      <span className="med">
        {isUnread && <span className="vh">Unread: </span>}
        {title}
      </span>
      {body !== '' && (
        <span className="two notification-body" title={body}>
          {body}
        </span>
      )}
      <span className="muted xs">
        <RelativeTime at={createdAt} />
      </span>
    </>
  );
  const className = isUnread ? 'notification unread' : 'notification';
  return address === null ? (
    <button type="button" className={className} onClick={onOpen}>
      {said}
    </button>
  ) : (
    <Link className={className} to={address} onClick={onOpen}>
      {said}
    </Link>
  );
}
