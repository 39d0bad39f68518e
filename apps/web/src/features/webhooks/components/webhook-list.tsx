import type { Webhook } from '@stet/contract';
import { Ellipsis, KeyRound, Pause, Pencil, Play, Send, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './webhook-list.module.css';

export type WebhookWish = 'change' | 'test' | 'rotate' | 'pause' | 'remove';

type WebhookListProps = {
  webhooks: readonly Webhook[];
  wordsOf: (action: string) => string;
  onWish: (webhook: Webhook, wish: WebhookWish) => void;
};

export function WebhookList({ webhooks, wordsOf, onWish }: WebhookListProps) {
  const now = useNow(60_000);
  const [shown, setShown] = useState<string | null>(null);
  return (
    <ul className={classNames('sheet', styles.webhooks)}>
      {webhooks.map((webhook) => {
        const wish = (what: WebhookWish) => () => onWish(webhook, what);
        const isShown = shown === webhook.id;
        return (
          <li key={webhook.id}>
            <div className={styles.one}>
              <div className="grow">
                <span className="row">
                  <span className="med trunc" title={webhook.name}>
                    {webhook.name}
                  </span>
                  {!webhook.isActive && <Badge>Paused</Badge>}
                  {webhook.isActive && webhook.failuresInRow > 0 && <Badge tone="warn">Failing</Badge>}
                  {webhook.dead > 0 && <Badge tone="fail">{numbered(webhook.dead, 'failed')}</Badge>}
                </span>
                <span className={classNames('mono trunc', styles.to)} title={webhook.url}>
                  {webhook.url}
                </span>
                <span className={styles.meta}>
                  {webhook.actions.length === 0
                    ? 'Every event'
                    : webhook.actions.length === 1
                      ? '1 kind of event'
                      : `${webhook.actions.length} kinds of events`}
                  {webhook.waiting > 0 && `, ${numbered(webhook.waiting, 'waiting')}`}
                  {webhook.oldSecretUntil && (
                    <>
                      . The old secret is valid until{' '}
                      <Moment at={webhook.oldSecretUntil}>{formatDateTime(webhook.oldSecretUntil, now)}</Moment>
                    </>
                  )}
                </span>
              </div>
              <div className={styles.actions}>
                <Button
                  size="sm"
                  aria-expanded={isShown}
                  aria-label={`Deliveries to ${webhook.name}`}
                  onClick={() => setShown(isShown ? null : webhook.id)}
                >
                  Deliveries
                </Button>
                <Button size="sm" icon={Send} aria-label={`Send a test to ${webhook.name}`} onClick={wish('test')}>
                  Test
                </Button>
                <Menu
                  target={<IconButton size="sm" label={`More for ${webhook.name}`} icon={Ellipsis} />}
                  groups={[
                    {
                      entries: [
                        { label: 'Change', icon: Pencil, onPick: wish('change') },
                        webhook.isActive
                          ? { label: 'Pause', icon: Pause, onPick: wish('pause') }
                          : { label: 'Resume', icon: Play, onPick: wish('pause') },
                        { label: 'New secret', icon: KeyRound, onPick: wish('rotate') },
                      ],
                    },
                    { entries: [{ label: 'Remove', icon: Trash2, danger: true, onPick: wish('remove') }] },
                  ]}
                />
              </div>
            </div>
            {isShown && <DeliveryLog webhook={webhook} wordsOf={wordsOf} />}
          </li>
        );
      })}
    </ul>
  );
}

/** The server stops counting at a thousand. */
const numbered = (count: number, word: string): string => `${count >= 1000 ? '1000+' : count} ${word}`;
