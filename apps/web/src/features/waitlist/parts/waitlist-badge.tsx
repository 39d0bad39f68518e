import { Users } from 'lucide-react';
import { formatNumber } from '../../../lib/format/number.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { WaitlistCount } from '../api/use-waitlist-count.ts';
import './waitlist-badge.css';

/** 'People are on waitlist' with how many there truly are; its line is there from the start, so that nothing moves. */
export function WaitlistBadge({ count }: { count: WaitlistCount }) {
  return (
    <p className="waitlist-badge">
      {count.state !== 'loading' && (
        <span className="in">
          <span className="sign">
            <Icon of={Users} size="s" />
          </span>
          {count.state === 'known' && <b>{formatNumber(count.count)}</b>} <span>People are on waitlist</span>
          {count.state === 'known' && count.count === 0 && <span className="two">Be the first.</span>}
        </span>
      )}
    </p>
  );
}
