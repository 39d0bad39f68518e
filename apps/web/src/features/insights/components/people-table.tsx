import { formatNumber } from '../../../lib/format/number.ts';
import { FigureTable } from './figure-table.tsx';
import { type StepInsights, secondsInWords } from '../model/insight-words.ts';

const COLUMNS = [{ name: 'Step' }, { name: 'Person' }, { name: 'Runs' }, { name: 'Median' }];

/** The figures of each step by person. People with fewer than five runs of a step share a line. */
export function PeopleTable({ steps }: { steps: readonly StepInsights[] }) {
  const rows = steps.flatMap(({ stepId, title, people }) => (people ?? []).map((row) => ({ stepId, title, ...row })));
  return (
    <FigureTable label="Steps by person" columns={COLUMNS}>
      <tbody>
        {rows.map(({ stepId, title, person, runs, times }) => (
          <tr key={`${stepId} ${person?.id ?? ''}`}>
            <th scope="row">{title}</th>
            <td>{person?.name ?? 'People with fewer than 5 runs'}</td>
            <td>{formatNumber(runs)}</td>
            <td>{secondsInWords(times.calendar.p50)}</td>
          </tr>
        ))}
      </tbody>
    </FigureTable>
  );
}
