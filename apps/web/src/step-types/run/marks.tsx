import type { RunStep } from '@stet/contract';
import { decisionMarkWords } from '@stet/domain/runs';
import { Badge } from '../../ui/badge.tsx';
import styles from './step-panel.module.css';

/** The marks of a decision, which alone doesn't prove two people. Renders nothing without marks. */
export function Marks({ marks }: Pick<RunStep, 'marks'>) {
  if (marks.length === 0) return null;
  return (
    <span className={styles.marks}>
      <Badge tone="warn">{decisionMarkWords(marks)}</Badge>
    </span>
  );
}
