import type { RunStep } from '@stet/contract';
import { decisionMarkWords } from '@stet/domain/runs';
import { isolated } from '@stet/domain/workflows';
import { Badge } from '../../ui/badge.tsx';
import styles from './step-panel.module.css';

/**
 * A decision's marks: reasons why the decision alone doesn't prove that two people were involved. Renders nothing
 * without marks.
 */
export function Marks({ marks, addedBy }: Pick<RunStep, 'marks'> & { addedBy?: string | null }) {
  if (marks.length === 0) return null;
  return (
    <span>
      <Badge tone="warn" className={styles.mark}>
        {decisionMarkWords(marks, addedBy && isolated(addedBy))}
      </Badge>
    </span>
  );
}
