import type { Priority, QueryInput, RunEnv, RunSort, RunSummary } from '@stet/contract';
import { STEP_OUTCOMES } from '@stet/domain/insights';
import { RUN_STATUSES, type RunStatus } from '@stet/domain/runs';
import { SLA_STATES, type SlaState } from '@stet/domain/sla';
import { TAG_LIMITS, cutText, isWorkflowKey } from '@stet/domain/workflows';
import { isDay, periodOf } from '../../../lib/period.ts';

/**
 * The list's filters and order, from the address bar. An empty text means "all" or the default order. Days have the
 * format `YYYY-MM-DD`, and both are included.
 */
export type RunFilters = {
  workflow: string;
  /** A version of the workflow. */
  version: string;
  /** A tag of the workflows. */
  tag: string;
  status: RunStatus | '';
  priority: Priority | '';
  /** The address, role or group (`group:finance`) that runs wait for. */
  person: string;
  sort: RunSort | '';
  sla: SlaState | '';
  env: RunEnv | '';
  from: string;
  to: string;
  /** The time zone of `from` and `to`; the browser's if empty. Insights use UTC, because their weeks begin in UTC. */
  days: 'utc' | '';
  /** Only the runs that are counted in this insights figure, for example `late:check`. */
  figure: string;
  search: string;
};

export const ALL_RUNS: RunFilters = {
  workflow: '',
  version: '',
  tag: '',
  status: '',
  priority: '',
  person: '',
  sort: '',
  sla: '',
  env: '',
  from: '',
  to: '',
  days: '',
  figure: '',
  search: '',
};

const FIGURE_KINDS = [...STEP_OUTCOMES, 'lateNow', 'path'] as const;
export type FigureKind = (typeof FIGURE_KINDS)[number];

// Written out, because importing the values from the contract would load its schemas.
export const PRIORITY_CHOICES: readonly Priority[] = ['critical', 'urgent', 'high', 'medium', 'low'];
const SORTS: readonly RunSort[] = ['attention', 'newest', 'oldest', 'due', 'priority', 'name'];
/** The possible orders of a list of the runs in a figure. */
const FIGURE_SORTS: readonly RunSort[] = ['newest', 'oldest'];
const isFigure = (text: string): boolean => text.length <= 150 && !text.includes('\0') && figureParts(text) !== null;

/** Splits a figure into its kind and the id of its step or path, for example `late:check`. Null for another text. */
export function figureParts(figure: string): { kind: FigureKind; id: string } | null {
  const at = figure.indexOf(':');
  const kind = FIGURE_KINDS.find((each) => each === figure.slice(0, Math.max(0, at)));
  return kind && at < figure.length - 1 ? { kind, id: figure.slice(at + 1) } : null;
}

/** The value if it is one of the choices, otherwise an empty text. */
export const oneOf = <T extends string>(choices: readonly T[], text: string): T | '' =>
  choices.find((choice) => choice === text) ?? '';

const ENVS: readonly RunEnv[] = ['production', 'testing'];
export const isEnv = (text: string): text is RunEnv => ENVS.some((env) => env === text);
const isSlaState = (text: string): text is SlaState => SLA_STATES.some((state) => state === text);

// The maximum that `GET /api/runs` accepts, in UTF-16 code units.
const MAX_SEARCHED = 100;

/** The search text, cut to the maximum length without splitting a character. */
function searchable(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_SEARCHED) return trimmed;
  let cut = '';
  for (const character of trimmed) {
    if (cut.length + character.length > MAX_SEARCHED) break;
    cut += character;
  }
  return cut;
}

/** Reads the filters from the address and ignores unknown values. */
export function readFilters(address: URLSearchParams): RunFilters {
  const text = (name: string) => address.get(name) ?? '';
  const sla = text('sla');
  const env = text('env');
  const workflow = isWorkflowKey(text('workflow')) ? text('workflow') : '';
  const figure = workflow !== '' && isFigure(text('figure')) ? text('figure') : '';
  return {
    workflow,
    version: workflow !== '' && /^[1-9]\d{0,8}$/.test(text('version')) ? text('version') : '',
    tag: cutText(text('tag').trim(), TAG_LIMITS.length),
    status: oneOf(RUN_STATUSES, text('status')),
    priority: oneOf(PRIORITY_CHOICES, text('priority')),
    person: figure ? '' : text('with').trim().slice(0, MAX_SEARCHED),
    sort: oneOf(figure ? FIGURE_SORTS : SORTS, text('sort')),
    sla: isSlaState(sla) ? sla : '',
    env: isEnv(env) ? env : '',
    from: isDay(text('from')) ? text('from') : '',
    to: isDay(text('to')) ? text('to') : '',
    days: text('days') === 'utc' ? 'utc' : '',
    figure,
    search: figure ? '' : searchable(text('q')),
  };
}

/** The query for these filters, without those that mean "all". */
export function writeFilters(filters: RunFilters): URLSearchParams {
  const named = {
    workflow: filters.workflow,
    version: filters.workflow && filters.version,
    tag: filters.tag,
    status: filters.status,
    priority: filters.priority,
    with: filters.person,
    sort: filters.sort,
    sla: filters.sla,
    env: filters.env,
    from: filters.from,
    to: filters.to,
    days: (filters.from || filters.to) && filters.days,
    figure: filters.workflow && filters.figure,
    q: filters.search.trim(),
  };
  return new URLSearchParams(Object.entries(named).filter(([, value]) => value !== ''));
}

export const isFiltered = (filters: RunFilters): boolean => writeFilters({ ...filters, sort: '' }).size > 0;

/** The chosen order. By default, the newest runs come first or, without filters, those that need attention. */
export const sortOf = (filters: RunFilters): RunSort => filters.sort || (isFiltered(filters) ? 'newest' : 'attention');

/** Whether someone should look at the run: it failed, or it is running and late or about to be. */
export const needsAttention = ({ status, slaState }: Pick<RunSummary, 'status' | 'slaState'>): boolean =>
  status === 'failed' || (status === 'running' && (slaState === 'at_risk' || slaState === 'breached'));

export function runsQuery(filters: RunFilters, cursor?: string): QueryInput<'GET /api/runs'> {
  return {
    ...(filters.workflow && { workflow: filters.workflow }),
    ...(filters.workflow && filters.version && { version: filters.version }),
    ...(filters.tag && { tag: filters.tag }),
    ...(filters.status && { status: filters.status }),
    ...(filters.priority && { priority: filters.priority }),
    ...(filters.person && { with: filters.person }),
    sort: sortOf(filters),
    ...(filters.sla && { sla: filters.sla }),
    ...(filters.env && { env: filters.env }),
    ...(filters.search.trim() && { q: filters.search.trim() }),
    ...periodOf(filters),
    ...(filters.workflow && filters.figure && { figure: filters.figure }),
    ...(cursor && { cursor }),
  };
}
