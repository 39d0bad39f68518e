import { useTaskCount } from '../api/use-tasks.ts';
import './task-list.css';

/** How many tasks wait on me, beside the link to them; nothing where none do. */
export function TaskCount() {
  const { data } = useTaskCount();
  // Its place is kept, so that the links after it stay where they are when it comes.
  if (!data || data.count === 0) return <span className="task-count none" />;
  const shown = data.count >= 100 ? '99+' : String(data.count);
  return (
    <span className="task-count">
      {shown}
      <span className="vh"> waiting</span>
    </span>
  );
}
