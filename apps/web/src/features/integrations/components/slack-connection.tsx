import type { SlackStatus } from '@stet/contract';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useDisconnectSlack, usePickSlackChannel, useSlackChannels } from '../api/use-slack.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './slack-card.module.css';

const HINT =
  'Receives notifications about steps assigned to a role, a group or several people, or to a person whose email address isn’t in Slack.';

/** A connection's channel, and the button to disconnect. Read-only for people who can't manage the organization. */
export function SlackConnection({ status, canManage }: { status: SlackStatus; canManage: boolean }) {
  const channels = useSlackChannels(canManage && status.problem === null);
  const pick = usePickSlackChannel();
  const [isAsking, setAsking] = useState(false);
  const current = status.channel;
  if (!canManage)
    return (
      <p className={classNames('two', styles.slackPart)}>
        {current ? `Channel: #${current.name}` : 'No channel is selected.'}
      </p>
    );
  const others = (channels.data ?? []).filter(({ id }) => id !== current?.id);
  const options = current ? [current, ...others] : others;
  return (
    <>
      <div className={styles.slackPart}>
        <Field
          className={styles.field}
          label="Channel"
          hint={channels.isError ? undefined : HINT}
          error={channels.isError ? errorSentence(channels.error, 'Failed to load the channels') : null}
        >
          {(control) => (
            <Select
              {...control}
              value={current?.id ?? ''}
              disabled={pick.isPending || channels.isPending}
              onChange={(event) =>
                pick.mutate(event.target.value === '' ? null : event.target.value, {
                  onSuccess: () => toast.ok('Channel saved'),
                })
              }
            >
              <option value="">No channel</option>
              {options.map(({ id, name }) => (
                <option key={id} value={id}>
                  #{name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {pick.isError && <Note tone="bad">{errorSentence(pick.error, 'Failed to save the channel')}</Note>}
      </div>
      <div className={styles.slackPart}>
        <Button tone="danger" onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      </div>
      {isAsking && <DisconnectDialog workspace={status.workspace ?? 'Slack'} onClose={() => setAsking(false)} />}
    </>
  );
}

function DisconnectDialog({ workspace, onClose }: { workspace: string; onClose: () => void }) {
  const disconnect = useDisconnectSlack();
  return (
    <ConfirmDialog
      open
      danger
      title={`Disconnect ${workspace}?`}
      confirmLabel="Disconnect"
      busy={disconnect.isPending && 'Disconnecting…'}
      error={disconnect.isError ? errorSentence(disconnect.error, 'Failed to disconnect Slack') : null}
      onCancel={onClose}
      onConfirm={() =>
        disconnect.mutate(undefined, {
          onSuccess: () => {
            toast.ok('Slack disconnected');
            onClose();
          },
        })
      }
    >
      Slack notifications will stop. Messages already in Slack stay there, but their buttons stop working.
    </ConfirmDialog>
  );
}
