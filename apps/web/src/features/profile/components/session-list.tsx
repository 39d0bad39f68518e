import type { SessionRecord } from '@stet/contract';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/empty-state.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.ts';
import { useEndSession, useSessions } from '../api/use-profile.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './session-list.module.css';

const deviceOf = ({ device }: SessionRecord): string => device || 'Unknown browser';

/** The user's sessions. Each except the current one has a button to end it. */
export function SessionList() {
  const sessions = useSessions();
  const end = useEndSession();
  if (sessions.isPending) {
    return (
      <div className="sheet">
        <SkeletonRows rows={2} label="Loading sessions" />
      </div>
    );
  }
  if (!sessions.data) {
    return (
      <ErrorState title="Error loading sessions" onRetry={() => void sessions.refetch()}>
        {errorSentence(sessions.error, 'Failed to load sessions')}
      </ErrorState>
    );
  }
  return (
    <>
      {end.isError && <Note tone="bad">{errorSentence(end.error, 'Failed to sign out the session')}</Note>}
      <ul className={classNames('sheet', styles.sessions)}>
        {sessions.data.map((session) => (
          <li key={session.id}>
            <div className="grow">
              <span className="row">
                <span className="med trunc">{deviceOf(session)}</span>
                {session.current && <Tag>this browser</Tag>}
              </span>
              <span className="muted">
                Signed in <Moment at={session.createdAt}>{formatDate(session.createdAt)}</Moment>, last seen{' '}
                <RelativeTime at={session.lastSeenAt} />
              </span>
            </div>
            {!session.current && (
              <Button
                size="sm"
                aria-label={`Sign out ${deviceOf(session)}, signed in ${formatDate(session.createdAt)}`}
                busy={end.isPending && end.variables === session.id && 'Signing out…'}
                onClick={() => end.mutate(session.id, { onSuccess: () => toast.ok('Signed out', deviceOf(session)) })}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
