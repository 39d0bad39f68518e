import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { docsKeys } from './docs-keys.ts';

export const tagsSchema = async () =>
  (await import('@stet/contract/workflows')).workflowRoutes['PATCH /api/workflows/{key}'].body;

export function useSaveTags(key: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { tags: string[] }) => api('PATCH /api/workflows/{key}', { params: { key }, body }),
    onSuccess: async () => {
      void queryClient.invalidateQueries({ queryKey: ['workflows'] });
      await queryClient.invalidateQueries({ queryKey: docsKeys.workflow(key), exact: true });
    },
  });
}
