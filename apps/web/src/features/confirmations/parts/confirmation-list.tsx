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
import { type Deciding, DecideDialog } from './decide-dialog.tsx';
import { KIND_WORDS } from './kind-words.ts';
import './confirmation-list.css';

/** Proposals that wait for a second person, each with what the one who looks can do about it, or why they can't. */
export function ConfirmationList({ confirmations }: { confirmations: readonly Confirmation[] }) {
  const { id: userId } = useUser();
  const now = useNow(60_000);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  return (
    <>
      <ul className="sheet confirmations">
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
                  <Tag>{words.name}</Tag>
                </span>
                <span className="meta">
                  Proposed by {isMine ? 'you' : isolated(proposedBy.name)} · <RelativeTime at={proposedAt} />
                </span>
                {!isMine && because !== null && (
                  <span className="why">
                    {because}
                    {from !== null && (
                      <>
                        {' '}
                        From <Moment at={from}>{formatDateTime(from, now)}</Moment> on you can confirm it.
                      </>
                    )}
                  </span>
                )}
              </div>
              <div className="acts">
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
