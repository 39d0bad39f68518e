import type { Diff } from '@stet/contract';
import { Keyboard } from 'lucide-react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Kbd } from '../../../ui/kbd.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import type { Against } from '../api/use-review.ts';
import type { CompareOption } from '../model/compare-options.ts';
import styles from './diff-summary.module.css';

type DiffSummaryProps = {
  summary: Diff['summary'] | null;
  unchanged: number;
  against: Against;
  options: readonly CompareOption[];
  onCompare: (against: Against) => void;
  keys: { on: boolean; onToggle: () => void; onStep: (by: 1 | -1) => void };
};

export function DiffSummary({ summary, unchanged, against, options, onCompare, keys }: DiffSummaryProps) {
  const counts = [
    { word: 'added', of: summary?.added.length, look: styles.add },
    { word: 'removed', of: summary?.removed.length, look: styles.del },
    { word: 'modified', of: summary?.modified.length, look: styles.mod },
    { word: 'unchanged', of: summary ? unchanged : undefined, look: undefined },
  ];
  return (
    <div className={styles.sum}>
      <ul aria-label="Changes">
        {counts.map(({ word, of, look }) => (
          <li key={word} className={look}>
            <b>{of ?? '–'}</b> {word}
          </li>
        ))}
      </ul>
      {options.length > 1 && (
        <SegmentedControl label="Compare with" value={against} options={options} onChange={onCompare} />
      )}
      <div className={styles.steps}>
        <IconButton
          size="sm"
          icon={Keyboard}
          label={keys.on ? 'Turn off the J, K and C shortcuts' : 'Turn on the J, K and C shortcuts'}
          aria-pressed={keys.on}
          onClick={keys.onToggle}
        />
        <Button tone="quiet" size="sm" aria-label="Previous change" onClick={() => keys.onStep(-1)}>
          <Kbd>K</Kbd>
        </Button>
        <Button tone="quiet" size="sm" aria-label="Next change" onClick={() => keys.onStep(1)}>
          <Kbd>J</Kbd>
        </Button>
      </div>
    </div>
  );
}
