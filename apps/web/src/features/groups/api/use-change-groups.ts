import type { BodyInput, Group } from '@stet/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { GROUPS_KEY } from '../../../lib/session/use-groups.ts';

export type GroupForm = BodyInput<'POST /api/groups'>;

export const groupSchema = async () => (await import('@stet/contract/groups')).groupRoutes['POST /api/groups'].body;

/** Only the differences, so that saving doesn't undo another manager's changes since the dialog was opened. */
function changesOf(group: Group, { name, members = [] }: GroupForm): BodyInput<'PATCH /api/groups/{id}'> {
  const addMembers = members.filter((id) => !group.members.includes(id));
  const removeMembers = group.members.filter((id) => !members.includes(id));
  return {
    ...(name !== group.name && { name }),
    ...(addMembers.length > 0 && { addMembers }),
    ...(removeMembers.length > 0 && { removeMembers }),
  };
}

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
    mutationFn: ({ group, form }: { group: Group; form: GroupForm }) =>
      api('PATCH /api/groups/{id}', { params: { id: group.id }, body: changesOf(group, form) }),
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
