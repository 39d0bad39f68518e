import { useTaskCount } from '../api/use-tasks.ts';
import './task-list.css';

/** How many tasks wait on me, beside the link to them; nothing, and no room for it, where none do. */
export function TaskCount() {
  const { data } = useTaskCount();
  if (!data || data.count === 0) return null;
  const shown = data.count >= 100 ? '99+' : String(data.count);
  return (
    <span className="task-count">
      {shown}
      <span className="vh"> waiting</span>
    </span>
  );
}
