import { Users } from 'lucide-react';
import { formatNumber } from '../../../lib/format/number.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { WaitlistCount } from '../api/use-waitlist-count.ts';
import styles from './waitlist-badge.module.css';

/** The text 'People are on waitlist' with their number. The line is always rendered, so that nothing moves. */
export function WaitlistBadge({ count }: { count: WaitlistCount }) {
  return (
    <p className={styles.waitlistBadge}>
      {count.state !== 'loading' && (
        <span className={styles.in}>
          <span className={styles.sign}>
            <Icon of={Users} size="s" />
          </span>
          {count.state === 'known' && <b>{formatNumber(count.count)}</b>} <span>People are on waitlist</span>
          {count.state === 'known' && count.count === 0 && <span className="two">Be the first.</span>}
        </span>
      )}
    </p>
  );
}
