import { Users } from 'lucide-react';
import { formatNumber } from '../../../lib/format/number.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { WaitlistCount } from '../api/use-waitlist-count.ts';
import styles from './waitlist-badge.module.css';

/** Smaller numbers aren't shown. */
const MIN_SHOWN = 25;

/**
 * The text 'People are on waitlist', preceded by their number if there are at least 25. The line is always rendered, so
 * that nothing moves.
 */
export function WaitlistBadge({ count }: { count: WaitlistCount }) {
  return (
    <p className={styles.waitlistBadge}>
      {count.state !== 'loading' && (
        <span className={styles.in}>
          <span className={styles.sign}>
            <Icon of={Users} size="s" />
          </span>
          {count.state === 'known' && count.count >= MIN_SHOWN && <b>{formatNumber(count.count)}</b>}{' '}
          <span>People are on waitlist</span>
        </span>
      )}
    </p>
  );
}
