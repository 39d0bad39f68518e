import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { editorKeys } from './query-keys.ts';

export function useWorkflows(organizationId: string) {
  return useQuery({
    queryKey: editorKeys.workflows(organizationId),
    queryFn: ({ signal }) => api('GET /api/workflows', { signal }),
  });
}
