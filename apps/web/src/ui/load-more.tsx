import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './load-more.module.css';

type LoadMoreProps = {
  /** Whether there are more entries. */
  more: boolean;
  loading: boolean;
  /** Whether the last attempt failed. If so, only the button retries. */
  failed?: boolean;
  label?: string;
  onMore: () => void;
};

// Entries load before the end of the list is visible, so that people rarely wait while scrolling.
const AHEAD = '600px';

/**
 * The end of a paginated list. It loads more entries when it comes near the viewport, or when its button is pressed.
 */
export function LoadMore({ more, loading, failed = false, label = 'Show more', onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const ask = useEffectEvent(onMore);
  const waits = more && !loading && !failed;
  useEffect(() => {
    const element = end.current;
    if (!waits || !element || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && ask(), { rootMargin: AHEAD });
    observer.observe(element);
    return () => observer.disconnect();
  }, [waits]);
  if (!more) return null;
  return (
    <div ref={end} className={styles.loadMore}>
      {failed && <p role="alert">Couldn’t load more.</p>}
      <Button busy={loading && 'Loading...'} onClick={onMore}>
        {failed ? 'Try again' : label}
      </Button>
    </div>
  );
}
