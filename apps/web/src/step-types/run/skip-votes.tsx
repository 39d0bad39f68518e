import type { RunStep } from '@stet/contract';
import { Who } from '../../ui/avatar.tsx';
import { Marks } from './marks.tsx';
import styles from './step-panel.module.css';

/** The people who agreed to skip a step, with their reasons. Renders nothing without any. */
export function SkipVotes({ skip }: Pick<RunStep, 'skip'>) {
  if (skip.votes.length === 0) return null;
  return (
    <div className={styles.votes}>
      <b className="med">
        {skip.votes.length} of {skip.required} have agreed to skip
      </b>
      {skip.votes.map(({ by, reason, marks, addedBy }) => (
        <span key={by.id} className={styles.vote}>
          <Who name={by.name} />
          <q>{reason}</q>
          <Marks marks={marks} addedBy={addedBy} />
        </span>
      ))}
    </div>
  );
}
