import type { WorkflowContent } from '@stet/domain/workflows';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../lib/api/api.ts';
import { contentOf } from '../model/source.ts';
import type { SourceRecord } from '../model/source.ts';
import { withSameSteps } from '../model/same-content.ts';
import { editorKeys } from './query-keys.ts';

/** A merged version. Its content never changes. */
export const versionQuery = (key: string, version: number) =>
  queryOptions({
    queryKey: editorKeys.version(key, version),
    queryFn: ({ signal }) =>
      api('GET /api/workflows/{key}/versions/{version}', { params: { key, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * The content that a document is compared with to mark its changes: the version that the draft is based on. If there is
 * none, or until it is loaded, the saved content is used.
 */
export function useBaseContent(key: string, record: SourceRecord, saved: WorkflowContent): WorkflowContent {
  const version = record.kind === 'draft' ? record.baseVersion : null;
  const { data: base } = useQuery({ ...versionQuery(key, version ?? 0), enabled: version !== null && version > 0 });
  return useMemo(() => (base && version ? withSameSteps(contentOf(base), saved) : saved), [base, version, saved]);
}
