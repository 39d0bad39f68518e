import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { type ShownDocument, docsKeys } from './docs-keys.ts';

const CHANGES = liveOn({ subject: 'workflow' }, { subject: 'version' });

/** A workflow with the steps of its live version or, without one, of the draft that was changed last. */
export function useWorkflow(key: string, { enabled = true } = {}) {
  return useQuery({
    queryKey: docsKeys.workflow(key),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}', { params: { key }, signal }),
    meta: CHANGES,
    enabled,
  });
}

/** All versions and open drafts of the workflow, newest first. */
export function useVersions(key: string) {
  return useQuery({
    queryKey: docsKeys.versions(key),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/versions', { params: { key }, signal }),
    meta: CHANGES,
  });
}

/**
 * The numbers of the workflow's versions for a filter, highest first. After a rollback, some are above the live one.
 * `chosen` is always included, even if there is no such version or the versions haven't loaded.
 */
export function useVersionNumbers(key: string, chosen: string): number[] {
  const { data } = useQuery({
    queryKey: docsKeys.versionNumbers(key),
    queryFn: ({ signal }) => api('GET /api/workflows/{key}/version-numbers', { params: { key }, signal }),
    meta: CHANGES,
    enabled: key !== '',
  });
  const numbers = data?.numbers ?? [];
  return [...new Set(chosen === '' ? numbers : [...numbers, Number(chosen)])].sort((one, other) => other - one);
}

/** A version to read: by default the live version or, without one, the draft that was changed last. */
export function useDocument(key: string, shown: ShownDocument, isEnabled = true) {
  return useQuery({
    enabled: isEnabled,
    queryKey: docsKeys.document(key, shown),
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/document', {
        params: { key },
        query: {
          ...(shown.version !== null && { version: shown.version }),
          ...(shown.asOf !== null && { asOf: shown.asOf }),
        },
        signal,
      }),
    meta: CHANGES,
  });
}
