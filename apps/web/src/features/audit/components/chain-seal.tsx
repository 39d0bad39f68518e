import type { AuditStatus } from '@stet/contract';
import { HOUR_MS } from '@stet/domain/sla';
import { Link2, RefreshCw, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { formatNumber } from '../../../lib/format/number.ts';
import { formatDateTime, formatTime, formatFullDateTime, relativeTime } from '../../../lib/format/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { hashInParts } from '../model/event-words.ts';
import { sealOf } from '../model/seal.ts';
import type { Seal } from '../model/seal.ts';
import { classNames } from '../../../ui/class-names.ts';
import { FieldError } from '../../../ui/field.tsx';
import styles from './chain-seal.module.css';

type ChainSealProps = {
  status: AuditStatus;
  now: number;
  error: string | null;
  isBeginning: boolean;
  onVerify: () => void;
};

const LOOKS = {
  empty: { icon: Link2, tone: 'plain', title: 'No events yet' },
  unchecked: { icon: Link2, tone: 'plain', title: 'Not verified yet' },
  checking: { icon: RefreshCw, tone: 'plain', title: 'Verifying the chain…' },
  verified: { icon: ShieldCheck, tone: 'ok', title: 'Chain verified' },
  broken: { icon: ShieldAlert, tone: 'bad', title: 'Chain broken' },
} satisfies Record<Seal['state'], { icon: LucideIcon; tone: string; title: string }>;

/** Shows the result of the last verification and up to which event the chain is sealed. A button verifies it. */
export function ChainSeal({ status, now, error, isBeginning, onVerify }: ChainSealProps) {
  const seal = sealOf(status);
  const { icon, tone, title } = LOOKS[seal.state];
  const isBusy = isBeginning || seal.state === 'checking';
  return (
    <section className={classNames('sheet', styles.seal, styles[tone])} aria-labelledby="seal-title">
      <div className={styles.hd} role="status">
        <span className={styles.ic}>
          <Icon of={icon} />
        </span>
        <div>
          <h2 id="seal-title">
            <span>{title}</span>
          </h2>
          <p>{sentenceOf(seal)}</p>
        </div>
      </div>
      {seal.state === 'checking' && (
        <div className={styles.meter} aria-hidden="true">
          <i style={{ width: `${seal.total > 0 ? Math.round((100 * seal.done) / seal.total) : 0}%` }} />
        </div>
      )}
      <dl>
        <dt>Events</dt>
        <dd>{formatNumber(status.events)}</dd>
        {status.firstAt && (
          <>
            <dt>First</dt>
            <dd>
              <Moment at={status.firstAt}>{formatFullDateTime(status.firstAt)}</Moment>
            </dd>
          </>
        )}
        {status.head && (
          <>
            <dt>Head</dt>
            <dd className="mono" title={status.head.hash}>
              {hashInParts(status.head.hash)}
            </dd>
          </>
        )}
        <dt>Sealed</dt>
        <dd title={status.checkpoint?.note}>
          {status.checkpoint ? (
            <>
              up to {formatNumber(status.checkpoint.size)},{' '}
              <Moment at={status.checkpoint.at}>{formatDateTime(status.checkpoint.at, now)}</Moment>
            </>
          ) : (
            'not yet (takes up to a minute)'
          )}
        </dd>
        {'checkedAt' in seal && (
          <>
            <dt>Last verified</dt>
            <dd>
              <Moment at={seal.checkedAt}>{checkedWords(seal.checkedAt, now)}</Moment>
            </dd>
          </>
        )}
      </dl>
      {seal.state !== 'empty' && (
        <Button icon={RefreshCw} busy={isBusy && 'Checking…'} onClick={onVerify}>
          {seal.state === 'unchecked' ? 'Verify now' : 'Verify again'}
        </Button>
      )}
      {error && (
        <FieldError hasIcon={false} className={styles.problem} role="alert">
          {error}
        </FieldError>
      )}
    </section>
  );
}

function sentenceOf(seal: Seal): string {
  switch (seal.state) {
    case 'empty':
      return 'Changes in this organization are recorded here.';
    case 'unchecked':
      return 'Verify it to check that no event was changed.';
    case 'checking':
      return `${formatNumber(seal.done)} of ${formatNumber(seal.total)} events`;
    case 'verified':
      return 'Each event links to the one before it.';
    case 'broken':
      return `${seal.sentence}. ${seal.firstBadSeq === null ? '' : `You can’t rely on event no. ${seal.firstBadSeq} and later ones. `}Don’t change anything. Export the data, keep the file, and ask your administrator whether someone changed the database.`;
  }
}

/** For example `14:34, 2 min ago`. After an hour, the age is omitted, and the date is included unless it is today. */
function checkedWords(at: string, now: number): string {
  const isRecent = now - Date.parse(at) < HOUR_MS;
  return isRecent ? `${formatTime(at)}, ${relativeTime(at, now, 'minutes')}` : formatDateTime(at, now);
}
