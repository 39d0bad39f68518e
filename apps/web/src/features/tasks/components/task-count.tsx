import { useReviewCount, useTaskCount } from '../api/use-tasks.ts';
import styles from './task-list.module.css';

/** The number of tasks and reviews, shown beside the link to them. Hidden if there are none. */
export function TaskCount() {
  const count = (useTaskCount().data?.count ?? 0) + (useReviewCount().data?.count ?? 0);
  if (count === 0) return null;
  const shown = count >= 100 ? '99+' : String(count);
  return (
    <span className={styles.taskCount}>
      {shown}
      <span className="vh"> waiting</span>
    </span>
  );
}
