import type { QueryInput, RunEnv, SlaState } from '@stet/contract';
import { isWorkflowKey } from '@stet/domain/workflows';
import { isDay, periodOf } from '../../../lib/period.ts';

/** What the list shows, as it stands in the address bar. Empty text is "all". Days are `YYYY-MM-DD`, both included. */
export type RunFilters = {
  workflow: string;
  sla: SlaState | '';
  env: RunEnv | '';
  from: string;
  to: string;
  search: string;
};

export const ALL_RUNS: RunFilters = { workflow: '', sla: '', env: '', from: '', to: '', search: '' };

const SLA_STATES: readonly SlaState[] = ['on_track', 'at_risk', 'breached'];
const ENVS: readonly RunEnv[] = ['production', 'testing'];
export const isEnv = (text: string): text is RunEnv => ENVS.some((env) => env === text);
const isSlaState = (text: string): text is SlaState => SLA_STATES.some((state) => state === text);

// The server takes no more (as `GET /api/runs` declares), counted as JavaScript does.
const MOST_SEARCHED = 100;

/** Text to search for, cut to what the server takes between two characters, never within one. */
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

/** Reads the address; what it doesn't know it leaves out. */
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

/** The address of these filters; "all" is not written. */
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
