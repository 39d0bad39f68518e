import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { counted } from '../../../lib/format/number.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Note } from '../../../ui/note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { toast } from '../../../ui/toast.ts';
import { useDeliveries, useDropDelivery, useRetryDelivery } from '../api/use-installation.ts';
import { Row, Rows } from './rows.tsx';

/** The latest webhook deliveries that are waiting or failed, with the reason. */
export function DeliveryRows() {
  const list = useDeliveries();
  const again = useRetryDelivery();
  const drop = useDropDelivery();
  const [dropping, setDropping] = useState<string | null>(null);
  const send = (id: string): void => {
    if (!again.isPending) again.mutate(id, { onSuccess: ({ message }) => toast.ok('Sending again', message) });
  };
  const close = (): void => {
    setDropping(null);
    drop.reset();
  };
  const confirm = (id: string): void => {
    if (!drop.isPending) drop.mutate(id, { onSuccess: ({ message }) => (close(), toast.ok('Done', message)) });
  };
  return (
    <>
      {again.error && <Note tone="bad">{errorSentence(again.error, 'Failed to send again')}</Note>}
      <Rows what="deliveries" query={list} rows={list.data} none="No delivery is waiting or has failed">
        {({ id, organization, webhook, action, state, attempts, createdAt, reason }) => (
          <Row
            key={id}
            name={
              <>
                {isolated(webhook)}{' '}
                <Badge tone={state === 'dead' ? 'fail' : 'gray'}>{state === 'dead' ? 'Failed' : 'Waiting'}</Badge>
              </>
            }
            facts={
              <>
                {isolated(organization)} · {action} · {counted(attempts, 'attempt')} · <RelativeTime at={createdAt} />
                {reason !== null && ` · ${reason}`}
              </>
            }
            actions={
              <>
                <Button size="sm" aria-label={`Send again: ${webhook} ${action}`} onClick={() => send(id)}>
                  Send again
                </Button>
                <Button size="sm" aria-label={`Drop: ${webhook} ${action}`} onClick={() => setDropping(id)}>
                  Drop
                </Button>
              </>
            }
          />
        )}
      </Rows>
      {dropping !== null && (
        <ConfirmDialog
          open
          danger
          title="Drop this delivery?"
          confirmLabel="Drop"
          busy={drop.isPending && 'Dropping…'}
          error={drop.error && errorSentence(drop.error, 'An error occurred')}
          onConfirm={() => confirm(dropping)}
          onCancel={close}
        >
          It won’t be sent any more. Later deliveries about the same subject continue.
        </ConfirmDialog>
      )}
    </>
  );
}
