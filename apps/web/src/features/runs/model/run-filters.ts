import type { QueryInput, RunEnv } from '@stet/contract';
import { SLA_STATES, type SlaState } from '@stet/domain/sla';
import { isWorkflowKey } from '@stet/domain/workflows';
import { isDay, periodOf } from '../../../lib/period.ts';

/**
 * The filters of the list, from the address bar. An empty text means "all". Days have the format `YYYY-MM-DD`, and both
 * are included.
 */
export type RunFilters = {
  workflow: string;
  sla: SlaState | '';
  env: RunEnv | '';
  from: string;
  to: string;
  search: string;
};

export const ALL_RUNS: RunFilters = { workflow: '', sla: '', env: '', from: '', to: '', search: '' };

const ENVS: readonly RunEnv[] = ['production', 'testing'];
export const isEnv = (text: string): text is RunEnv => ENVS.some((env) => env === text);
const isSlaState = (text: string): text is SlaState => SLA_STATES.some((state) => state === text);

// The maximum that `GET /api/runs` accepts, in UTF-16 units.
const MOST_SEARCHED = 100;

/** The search text, cut to the maximum length, but never within a character. */
function searchable(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MOST_SEARCHED) return trimmed;
  let cut = '';
  for (const character of trimmed) {
    if (cut.length + character.length > MOST_SEARCHED) break;
    cut += character;
  }
  return cut;
}

/** Reads the filters from the address and ignores unknown values. */
export function readFilters(address: URLSearchParams): RunFilters {
  const text = (name: string) => address.get(name) ?? '';
  const sla = text('sla');
  const env = text('env');
  return {
    workflow: isWorkflowKey(text('workflow')) ? text('workflow') : '',
    sla: isSlaState(sla) ? sla : '',
    env: isEnv(env) ? env : '',
    from: isDay(text('from')) ? text('from') : '',
    to: isDay(text('to')) ? text('to') : '',
    search: searchable(text('q')),
  };
}

/** The query for these filters, without those that mean "all". */
export function writeFilters(filters: RunFilters): URLSearchParams {
  const named = {
    workflow: filters.workflow,
    sla: filters.sla,
    env: filters.env,
    from: filters.from,
    to: filters.to,
    q: filters.search.trim(),
  };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
}

export const isFiltered = (filters: RunFilters): boolean => writeFilters(filters).size > 0;

/** The query of `GET /api/runs`. */
export function runsQuery(filters: RunFilters, cursor?: string): QueryInput<'GET /api/runs'> {
  return {
    ...(filters.workflow && { workflow: filters.workflow }),
    ...(filters.sla && { sla: filters.sla }),
    ...(filters.env && { env: filters.env }),
    ...(filters.search.trim() && { q: filters.search.trim() }),
    ...periodOf(filters),
    ...(cursor && { cursor }),
  };
}
