import type { WorkflowInsights } from '@stet/contract';
import { formatNumber } from '../../../lib/format/number.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { usePeople } from '../../../lib/session/use-members.ts';
import { FigureTable, ownName } from './figure-table.tsx';
import { whoInWords } from '../model/insight-words.ts';
import styles from './insights.module.css';

const COLUMNS = [{ name: 'Group or role' }, { name: 'Arrived' }, { name: 'Done' }, { name: 'Busiest week' }];

/**
 * For each group or role, the number of steps that began to wait for it and the number that were done, in total and by
 * week. People who are named by address are counted together.
 */
export function LoadTable({ load }: { load: WorkflowInsights['load'] }) {
  const { personOf } = usePeople();
  const nameOf = (who: string): string => {
    const { name } = personOf(who);
    return name === who ? whoInWords(who) : name;
  };
  const groups = [...new Set(load.map(({ who }) => who))]
    .map((who) => {
      const own = load.filter((each) => each.who === who);
      const sum = (name: 'arrived' | 'done') => own.reduce((total, each) => total + each[name], 0);
      const busiest = own.reduce((one, other) => (other.arrived > one.arrived ? other : one));
      return { who, arrived: sum('arrived'), done: sum('done'), busiest };
    })
    .toSorted((one, other) => other.arrived - one.arrived);
  const weeks = [...new Set(load.map(({ week }) => week))].toSorted();
  const inWeek = new Map(load.map((each) => [`${each.who} ${each.week}`, each]));
  return (
    <>
      <FigureTable label="Load by group" columns={COLUMNS}>
        <tbody>
          {groups.map(({ who, arrived, done, busiest }) => (
            <tr key={who}>
              <th scope="row">{nameOf(who)}</th>
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
      <details className={styles.behind}>
        <summary>Show by week</summary>
        <FigureTable
          label="Load by group and week"
          columns={[{ name: 'Week of' }, ...groups.map(({ who }) => ({ name: nameOf(who) }))]}
        >
          <tbody>
            {weeks.map((week) => (
              <tr key={week}>
                <th scope="row">{formatDate(`${week}T12:00:00`)}</th>
                {groups.map(({ who }) => {
                  const { arrived, done } = inWeek.get(`${who} ${week}`) ?? { arrived: 0, done: 0 };
                  return (
                    <td key={who} style={ownName(nameOf(who))}>
                      {formatNumber(arrived)} <span className="muted">arrived,</span> {formatNumber(done)}{' '}
                      <span className="muted">done</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </FigureTable>
      </details>
    </>
  );
}
