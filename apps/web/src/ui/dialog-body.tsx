import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './modal.module.css';

const FOCUSABLE = ':is(a[href], button, input, select, textarea, summary, [tabindex]):not(:disabled, [tabindex="-1"])';

/**
 * A dialog's content. If it overflows and nothing in it is focusable, it is focusable itself, so that people can scroll
 * it with the keyboard.
 */
export function DialogBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null);
  const [isScroller, setIsScroller] = useState(false);

  useLayoutEffect(() => {
    const { current } = body;
    if (!current) return undefined;
    const look = () =>
      setIsScroller(current.scrollHeight > current.clientHeight && current.querySelector(FOCUSABLE) === null);
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      ref={body}
      className={styles.body}
      {...(isScroller && { tabIndex: 0, role: 'group', 'aria-label': 'Dialog text' })}
    >
      {children}
    </div>
  );
}
