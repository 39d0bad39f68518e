import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './skeleton.module.css';

/** A gray placeholder for a line of text. The width is a CSS value. */
export function SkeletonLine({ width = '100%', height = 10 }: { width?: string; height?: number }) {
  return <span className={styles.line} data-loading="" style={{ width, height }} aria-hidden="true" />;
}

// If the content loads faster than this, a skeleton would only flicker.
const PATIENCE_MS = 150;

/** Shows its children only after a delay. The label is for screen readers. */
export function AfterPatience({ label, children }: { label: string; children: ReactNode }) {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true" aria-label={label}>
      {waited ? children : null}
    </div>
  );
}

const WIDTHS = ['62%', '48%', '70%', '54%', '38%', '66%'];

/** Placeholders for the rows of a list. Each has a title line and a smaller line. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <AfterPatience label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} style={{ padding: '14px 16px', borderTop: row === 0 ? 0 : '1px solid var(--line)' }}>
          <SkeletonLine width={WIDTHS[row % WIDTHS.length] ?? '60%'} />
          <div style={{ height: 8 }} />
          <SkeletonLine width={WIDTHS[(row + 3) % WIDTHS.length] ?? '40%'} height={8} />
        </div>
      ))}
    </AfterPatience>
  );
}
