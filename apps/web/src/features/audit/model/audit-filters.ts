import { cutText } from '@stet/domain/workflows';
import type { QueryInput } from '@stet/contract';
import type { AuditAction, AuditSubject } from '@stet/domain/audit';
import { isDay, periodOf } from '../../../lib/period.ts';
import { isAction, isSubject } from './action-words.ts';

/**
 * The list's filters, from the address bar. An empty text means "all". Days have the format `YYYY-MM-DD`, and both are
 * included.
 */
export type AuditFilters = {
  actor: string;
  action: AuditAction | '';
  subject: AuditSubject | '';
  /** The id of a run. */
  run: string;
  /** The key of a workflow. Its versions and runs are included. */
  workflow: string;
  from: string;
  to: string;
  search: string;
};

export const EVERYTHING: AuditFilters = {
  actor: '',
  action: '',
  subject: '',
  run: '',
  workflow: '',
  from: '',
  to: '',
  search: '',
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the filters from the address and ignores unknown values. */
export function readFilters(address: URLSearchParams): AuditFilters {
  const text = (name: string): string => address.get(name) ?? '';
  const day = (name: string): string => (isDay(text(name)) ? text(name) : '');
  const [action, subject] = [text('action'), text('subject')];
  return {
    actor: cutText(text('actor'), 100),
    action: isAction(action) ? action : '',
    subject: isSubject(subject) ? subject : '',
    run: UUID.test(text('run')) ? text('run') : '',
    workflow: cutText(text('workflow'), 100),
    from: day('from'),
    to: day('to'),
    search: cutText(text('q'), 100),
  };
}

/** The query for these filters, without those that mean "all". */
export function writeFilters({ search, ...filters }: AuditFilters): URLSearchParams {
  return new URLSearchParams(Object.entries({ ...filters, q: search.trim() }).filter(([, value]) => value !== ''));
}

export const isFiltered = (filters: AuditFilters): boolean => writeFilters(filters).size > 0;

/** True if the list has a filter other than the period. Then the server can't count the matches in advance. */
export const isNarrowed = ({ from: _from, to: _to, ...rest }: AuditFilters): boolean =>
  isFiltered({ ...EVERYTHING, ...rest });

export function eventsQuery(filters: AuditFilters, cursor?: string): QueryInput<'GET /api/audit/events'> {
  const { actor, action, subject, run, workflow, search } = filters;
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(run && { runId: run }),
    ...(workflow && { key: workflow }),
    ...(search.trim() && { q: search.trim() }),
    ...periodOf(filters),
    ...(cursor && { cursor }),
  };
}
