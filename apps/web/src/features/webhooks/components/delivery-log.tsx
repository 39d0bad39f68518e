import type { Webhook, WebhookDelivery } from '@stet/contract';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { formatExact } from '../../../lib/format/time.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorState } from '../../../ui/empty-state.tsx';
import { LoadMore } from '../../../ui/load-more.tsx';
import { Note } from '../../../ui/note.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.ts';
import { type DeliveryState, useDeliveries, useRedeliver, useRedeliverFailed } from '../api/use-webhooks.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './webhook-list.module.css';

const STATES: readonly { value: DeliveryState; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'dead', label: 'Failed' },
];

const BADGES = {
  waiting: { word: 'Waiting', tone: 'gray' },
  delivered: { word: 'Delivered', tone: 'live' },
  dead: { word: 'Failed', tone: 'fail' },
} as const;

type DeliveryLogProps = { webhook: Webhook; wordsOf: (action: string) => string };

/** A webhook's deliveries with their results. Each can be sent again or, if it is waiting, sent immediately. */
export function DeliveryLog({ webhook, wordsOf }: DeliveryLogProps) {
  const [state, setState] = useState<DeliveryState>('all');
  const log = useDeliveries(webhook.id, state);
  const again = useRedeliver(webhook.id);
  const allAgain = useRedeliverFailed(webhook.id);
  const sendAllAgain = () =>
    !allAgain.isPending &&
    allAgain.mutate(undefined, {
      onSuccess: ({ redelivered }) =>
        toast.ok('Sending again', redelivered === 1 ? '1 event' : `${redelivered} events`),
    });
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? [];
  const failed = again.error ?? allAgain.error;
  return (
    <div className={styles.webhookLog}>
      <div className="row">
        <SegmentedControl label="Which deliveries" value={state} options={STATES} onChange={setState} />
        <span className="grow" />
        {webhook.dead > 0 && (
          <Button size="sm" busy={allAgain.isPending && 'Sending…'} onClick={sendAllAgain}>
            Resend failed deliveries
          </Button>
        )}
      </div>
      {failed && <Note tone="bad">{errorSentence(failed, 'Failed to send again')}</Note>}
      {log.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={3} label="Loading deliveries" />
        </div>
      ) : !log.data ? (
        <ErrorState title="Error loading deliveries" onRetry={() => void log.refetch()}>
          {errorSentence(log.error, 'Failed to load the deliveries')}
        </ErrorState>
      ) : deliveries.length === 0 ? (
        <p className="muted">{state === 'all' ? 'Nothing has been sent yet.' : 'No deliveries have this status.'}</p>
      ) : (
        <ul className={classNames('sheet', styles.sent)} aria-label={`Deliveries to ${webhook.name}`}>
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <Badge tone={BADGES[delivery.state].tone}>{BADGES[delivery.state].word}</Badge>
              <span className="grow">
                <span className={styles.what}>
                  {delivery.seq === null ? 'Test' : `#${delivery.seq} ${wordsOf(delivery.action)}`}
                </span>
                <span className={styles.meta}>{story(delivery)}</span>
              </span>
              <Button
                size="sm"
                aria-label={`Send ${whenOf(delivery)}: ${delivery.seq === null ? 'the test' : `#${delivery.seq}`}`}
                busy={again.isPending && again.variables === delivery.id && 'Sending…'}
                onClick={() => again.mutate(delivery.id)}
              >
                Send {whenOf(delivery)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <LoadMore
        more={log.hasNextPage}
        loading={log.isFetchingNextPage}
        failed={log.isFetchNextPageError}
        onMore={() => void log.fetchNextPage()}
      />
    </div>
  );
}

const whenOf = ({ state }: WebhookDelivery): string => (state === 'waiting' ? 'now' : 'again');

/** A delivery's result in one line. */
function story({
  state,
  attempts,
  status,
  problem,
  tookMs,
  createdAt,
  nextAttemptAt,
  endedAt,
}: WebhookDelivery): string {
  const tries = attempts === 1 ? '1 try' : `${attempts} tries`;
  if (state === 'delivered') {
    const took = tookMs === null ? '' : ` in ${tookMs} ms`;
    return `${formatExact(endedAt ?? createdAt)}, ${status ?? 'accepted'}${took}${attempts > 1 ? `, ${tries}` : ''}`;
  }
  if (attempts === 0) return formatExact(createdAt);
  const next = nextAttemptAt ? `. Next try ${formatExact(nextAttemptAt)}` : '';
  return `${formatExact(createdAt)}, ${tries}. ${problem ?? ''}${next}`;
}
