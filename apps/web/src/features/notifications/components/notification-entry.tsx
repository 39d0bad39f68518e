import type { Notification } from '@stet/contract';
import { Link } from 'react-router';
import { classNames } from '../../../ui/class-names.ts';
import { Pressable } from '../../../ui/button.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { addressOf, wordsOf } from '../model/notification-words.ts';
import styles from './notification-list.module.css';

/** A thread of notifications, with the newest one's text. Opening it marks the thread as read. */
export function NotificationEntry({ of: notification, onOpen }: { of: Notification; onOpen: () => void }) {
  const { createdAt, readAt } = notification;
  const { title, body, more } = wordsOf(notification);
  const address = addressOf(notification);
  const isUnread = readAt === null;
  const said = (
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
        {more !== '' && `, ${more}`}
      </span>
    </>
  );
  const className = classNames(styles.notification, isUnread && styles.unread);
  return address === null ? (
    <Pressable className={className} onClick={onOpen}>
      {said}
    </Pressable>
  ) : (
    <Link className={className} to={address} onClick={onOpen}>
      {said}
    </Link>
  );
}
