import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button.tsx';
import './empty-state.css';

type LoadMoreProps = {
  /** True if there is more. */
  more: boolean;
  loading: boolean;
  /** The last attempt failed; then only the button retries. */
  failed?: boolean;
  label?: string;
  onMore: () => void;
};

// Loaded before it is visible, so that people who scroll rarely wait.
const AHEAD = '600px';

/** The end of a paginated list: loads more when it comes near the viewport, and with a button. */
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
    <div ref={end} className="load-more">
      {failed && <p role="alert">More could not be loaded.</p>}
      <Button busy={loading && 'Loading...'} onClick={onMore}>
        {failed ? 'Try again' : label}
      </Button>
    </div>
  );
}
