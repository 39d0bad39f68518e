import type { SlackStatus } from '@stet/contract';
import { MessageSquare } from 'lucide-react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { useConnectSlack } from '../api/use-slack.ts';
import { SlackConnection } from './slack-connection.tsx';
import styles from './slack-card.module.css';

type SlackCardProps = {
  /** Undefined if the status couldn't be loaded. */
  status: SlackStatus | undefined;
  canManage: boolean;
};

const NO_APP = 'Slack isn’t set up on this server';

/** The card to connect the organization to Slack, with the current state (specification, section 2). */
export function SlackCard({ status, canManage }: SlackCardProps) {
  const connect = useConnectSlack();
  const isConnected = status?.connected ?? false;
  const reason =
    status?.available === false ? NO_APP : canManage ? undefined : 'Only owners and admins can connect Slack';
  const connecting = connect.isPending && 'Connecting…';
  return (
    <section className="sheet" aria-labelledby="slack">
      <div className={styles.slackHead}>
        <Icon of={MessageSquare} />
        <div className="grow">
          <h2 className="title-sm" id="slack">
            Slack
          </h2>
          <p className="two">Receive notifications in Slack when steps are assigned to you.</p>
          {status?.workspace && (
            <p className="muted">
              Workspace {status.workspace}
              {status.connectedBy && ` · connected by ${status.connectedBy}`}
              {status.connectedAt && (
                <>
                  {' · '}
                  <RelativeTime at={status.connectedAt} />
                </>
              )}
            </p>
          )}
        </div>
        {isConnected ? (
          <Button disabled title="This organization is connected to Slack">
            Connected
          </Button>
        ) : (
          <Button tone="primary" disabledReason={reason} busy={connecting} onClick={() => connect.mutate()}>
            Connect
          </Button>
        )}
      </div>
      {status?.available === false && (
        <Note className={styles.note}>
          {NO_APP}. Ask your administrator to create a Slack app and to set SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and
          SLACK_SIGNING_SECRET.
        </Note>
      )}
      {!isConnected && status?.available !== false && !canManage && (
        <Note className={styles.note}>Only owners and admins can connect Slack.</Note>
      )}
      {connect.isError && (
        <Note className={styles.note} tone="bad">
          {errorSentence(connect.error, 'Failed to connect Slack')}
        </Note>
      )}
      {isConnected && status?.problem && (
        <Note className={styles.note} tone="warn">
          Slack rejects messages from this connection. Pending messages are sent when you reconnect.{' '}
          {canManage && status.available && <LinkButton onClick={() => connect.mutate()}>Reconnect</LinkButton>}
        </Note>
      )}
      {isConnected && status && <SlackConnection status={status} canManage={canManage} />}
    </section>
  );
}
