import type { BodyInput } from '@stet/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../lib/api/api.ts';
import { useUser } from '../../../lib/session/signed-in.ts';

const MINE = ['api-tokens', 'mine'] as const;
const OF_ORGANIZATION = ['api-tokens', 'organization'] as const;

export type PersonalTokenForm = BodyInput<'POST /api/tokens'>;
export type OrganizationTokenForm = BodyInput<'POST /api/organizations/{id}/tokens'>;

const tokenRoutes = async () => (await import('@stet/contract/api-tokens')).apiTokenRoutes;
export const TOKEN_SCHEMAS = {
  personal: async () => (await tokenRoutes())['POST /api/tokens'].body,
  organization: async () => (await tokenRoutes())['POST /api/organizations/{id}/tokens'].body,
};

/** The user's tokens for the selected organization, without revoked ones. */
export function useMyTokens() {
  const { currentOrgId } = useUser();
  return useQuery({ queryKey: [...MINE, currentOrgId], queryFn: ({ signal }) => api('GET /api/tokens', { signal }) });
}

/** All tokens for the organization, also personal ones, without revoked ones. Only for its managers. */
export function useOrganizationTokens(organizationId: string) {
  return useQuery({
    queryKey: [...OF_ORGANIZATION, organizationId],
    queryFn: ({ signal }) => api('GET /api/organizations/{id}/tokens', { params: { id: organizationId }, signal }),
  });
}

function useChanged() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['api-tokens'] });
}

export function useCreateMyToken() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (body: PersonalTokenForm) => api('POST /api/tokens', { body }),
    onSettled: changed,
  });
}

export function useCreateOrganizationToken(organizationId: string) {
  const changed = useChanged();
  return useMutation({
    mutationFn: (body: OrganizationTokenForm) =>
      api('POST /api/organizations/{id}/tokens', { params: { id: organizationId }, body }),
    onSettled: changed,
  });
}

/** Revokes one of the user's tokens or, if an organization is given, any token for it. */
export function useRevokeToken(organizationId: string | null) {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) =>
      organizationId === null
        ? api('DELETE /api/tokens/{id}', { params: { id } })
        : api('DELETE /api/organizations/{id}/tokens/{tokenId}', { params: { id: organizationId, tokenId: id } }),
    onSettled: changed,
  });
}
