import type { WorkflowInsights } from '@stet/contract';
import { formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { TableHead } from '../../../ui/table.tsx';
import { FigureTable } from './figure-table.tsx';
import { whoInWords } from '../model/insight-words.ts';

const COLUMNS = [{ name: 'Group or role' }, { name: 'Arrived' }, { name: 'Done' }, { name: 'Busiest week' }];

/**
 * For each group or role, the number of steps that began to wait for it and the number that were done. People aren't
 * listed individually.
 */
export function LoadTable({ load }: { load: WorkflowInsights['load'] }) {
  const groups = [...new Set(load.map(({ who }) => who))].map((who) => {
    const weeks = load.filter((each) => each.who === who);
    const sum = (name: 'arrived' | 'done') => weeks.reduce((total, each) => total + each[name], 0);
    const busiest = weeks.reduce((one, other) => (other.arrived > one.arrived ? other : one));
    return { who, arrived: sum('arrived'), done: sum('done'), busiest };
  });
  return (
    <FigureTable label="Load by group">
      <TableHead columns={COLUMNS} />
      <tbody>
        {groups
          .toSorted((one, other) => other.arrived - one.arrived)
          .map(({ who, arrived, done, busiest }) => (
            <tr key={who}>
              <th scope="row">{whoInWords(who)}</th>
              <td>{formatNumber(arrived)}</td>
              <td>{formatNumber(done)}</td>
              <td>
                {formatNumber(busiest.arrived)}{' '}
                <span className="muted">in the week of {formatDate(`${busiest.week}T12:00:00`)}</span>
              </td>
            </tr>
          ))}
      </tbody>
    </FigureTable>
  );
}
