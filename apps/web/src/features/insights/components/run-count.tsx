import { Link } from 'react-router';
import { formatNumber } from '../../../lib/format/number.ts';

/** A number of runs or reviews, as a link to them unless it is zero. */
export const RunCount = ({ runs, to }: { runs: number; to: string }) =>
  runs === 0 ? 0 : <Link to={to}>{formatNumber(runs)}</Link>;
