import type { BodyInput, WebhookDelivery } from '@stet/contract';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';
import { useUser } from '../../../lib/session/signed-in.ts';

const KEY = ['webhooks'] as const;

export type WebhookForm = BodyInput<'POST /api/webhooks'>;
type WebhookChange = BodyInput<'PATCH /api/webhooks/{id}'>;
export type DeliveryState = WebhookDelivery['state'] | 'all';

// Waiting deliveries are usually sent within seconds, so lists are refetched often while there are any.
const WHILE_WAITING_MS = 2000;
// Browsers aren't notified of deliveries, so an open log polls for them.
const RESTING_MS = 5000;

export const webhookSchema = async () =>
  (await import('@stet/contract/webhooks')).webhookRoutes['POST /api/webhooks'].body;

export function useWebhooks() {
  const { currentOrgId } = useUser();
  return useQuery({
    queryKey: [...KEY, 'list', currentOrgId],
    queryFn: ({ signal }) => api('GET /api/webhooks', { signal }),
    refetchInterval: ({ state: { data } }) => (data?.some(({ waiting }) => waiting > 0) ? WHILE_WAITING_MS : false),
  });
}

/** A webhook's deliveries, newest first. They are refetched automatically, and more often while some are waiting. */
export function useDeliveries(id: string, state: DeliveryState) {
  return useInfiniteQuery({
    queryKey: [...KEY, 'deliveries', id, state],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...(state !== 'all' && { state }), ...(pageParam && { cursor: pageParam }) };
      const { body, headers } = await apiWithHeaders('GET /api/webhooks/{id}/deliveries', {
        params: { id },
        query,
        signal,
      });
      return { deliveries: body, next: headers.get('x-next-cursor') ?? undefined };
    },
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ deliveries }) => deliveries.some((each) => each.state === 'waiting'))
        ? WHILE_WAITING_MS
        : RESTING_MS,
  });
}

function useChanged() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEY });
}

export function useAddWebhook() {
  const changed = useChanged();
  return useMutation({ mutationFn: (body: WebhookForm) => api('POST /api/webhooks', { body }), onSettled: changed });
}

export function useChangeWebhook() {
  const changed = useChanged();
  return useMutation({
    mutationFn: ({ id, change }: { id: string; change: WebhookChange }) =>
      api('PATCH /api/webhooks/{id}', { params: { id }, body: change }),
    onSettled: changed,
  });
}

export function useRemoveWebhook() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) => api('DELETE /api/webhooks/{id}', { params: { id } }),
    onSettled: changed,
  });
}

export function useRotateSecret() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) => api('POST /api/webhooks/{id}/rotate', { params: { id } }),
    onSettled: changed,
  });
}

export function useTestWebhook() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) => api('POST /api/webhooks/{id}/test', { params: { id } }),
    onSettled: changed,
  });
}

export function useRedeliver(id: string) {
  const changed = useChanged();
  return useMutation({
    mutationFn: (deliveryId: string) =>
      api('POST /api/webhooks/{id}/deliveries/{deliveryId}/redeliver', { params: { id, deliveryId } }),
    onSettled: changed,
  });
}

export function useRedeliverFailed(id: string) {
  const changed = useChanged();
  return useMutation({
    mutationFn: () => api('POST /api/webhooks/{id}/redeliver', { params: { id } }),
    onSettled: changed,
  });
}
