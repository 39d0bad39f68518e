import type { BodyInput } from '@stet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { GROUPS_KEY } from '../../../lib/session/use-groups.ts';

export type GroupForm = BodyInput<'POST /api/groups'>;

export const groupSchema = async () => (await import('@stet/contract/groups')).groupRoutes['POST /api/groups'].body;

function useChanged() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: GROUPS_KEY });
}

export function useAddGroup() {
  const changed = useChanged();
  return useMutation({ mutationFn: (body: GroupForm) => api('POST /api/groups', { body }), onSettled: changed });
}

export function useChangeGroup() {
  const changed = useChanged();
  return useMutation({
    mutationFn: ({ id, name, members }: Pick<GroupForm, 'name' | 'members'> & { id: string }) =>
      api('PATCH /api/groups/{id}', { params: { id }, body: { name, members } }),
    onSettled: changed,
  });
}

export function useRemoveGroup() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/groups/{id}', { params: { id } }),
    onSettled: changed,
  });
}
