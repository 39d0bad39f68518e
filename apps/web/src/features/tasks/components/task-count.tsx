import { useTaskCount } from '../api/use-tasks.ts';
import styles from './task-list.module.css';

/** The number of tasks, shown beside the link to them. Hidden if there are none. */
export function TaskCount() {
  const { data } = useTaskCount();
  if (!data || data.count === 0) return null;
  const shown = data.count >= 100 ? '99+' : String(data.count);
  return (
    <span className={styles.taskCount}>
      {shown}
      <span className="vh"> waiting</span>
    </span>
  );
}
