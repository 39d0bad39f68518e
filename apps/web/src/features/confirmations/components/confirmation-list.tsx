import type { Confirmation } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { formatDateTime } from '../../../lib/format/time.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { Deciding } from './decide-dialog.tsx';
import { KIND_WORDS, reasonOf } from './kind-words.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './confirmation-list.module.css';

const DecideDialog = lazyDialog(async () => (await import('./decide-dialog.tsx')).DecideDialog);

/**
 * Changes that a second person must confirm, with the reader's actions. If the reader can't confirm another person's
 * change, the list says why.
 */
export function ConfirmationList({ confirmations }: { confirmations: readonly Confirmation[] }) {
  const { id: userId } = useUser();
  const now = useNow(60_000);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  return (
    <>
      <ul className={classNames('sheet', styles.confirmations)}>
        {confirmations.map((confirmation) => {
          const { id, kind, sentence, proposedBy, proposedAt, abilities, because, from } = confirmation;
          const words = KIND_WORDS[kind];
          const isMine = proposedBy.id === userId;
          const ask = (to: Deciding['to']) => () => setDeciding({ confirmation, to });
          return (
            <li key={id}>
              <div>
                <span className="row">
                  <span className="med">{sentence}</span>
                  <Tag className={styles.tag}>{words.name}</Tag>
                </span>
                <span className={styles.meta}>
                  Proposed by {isMine ? 'you' : isolated(proposedBy.name)} · <RelativeTime at={proposedAt} />
                </span>
                {reasonOf(confirmation) !== null && (
                  <span className={styles.why}>Reason: “{isolated(reasonOf(confirmation) ?? '')}”</span>
                )}
                {!isMine && because !== null && (
                  <span className={styles.why}>
                    {withoutMoment(because, from)}
                    {from !== null && (
                      <>
                        {' '}
                        You can confirm it from <Moment at={from}>{formatDateTime(from, now)}</Moment>.
                      </>
                    )}
                  </span>
                )}
              </div>
              <div className={styles.actions}>
                {abilities.confirm && (
                  <Button size="sm" aria-label={`${words.confirm}: ${sentence}`} onClick={ask('confirm')}>
                    {words.confirm}
                  </Button>
                )}
                {abilities.refuse && (
                  <Button size="sm" tone="quiet-danger" aria-label={`Refuse: ${sentence}`} onClick={ask('refuse')}>
                    Refuse
                  </Button>
                )}
                {abilities.withdraw && (
                  <Button size="sm" tone="quiet-danger" aria-label={`Withdraw: ${sentence}`} onClick={ask('withdraw')}>
                    Withdraw
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}

/** Removes the time from the server's reason, because the list shows it in the reader's time zone. */
const withoutMoment = (because: string, from: string | null): string =>
  from === null ? because : because.replace(/ It counts from [^.]*\.$/, '');
