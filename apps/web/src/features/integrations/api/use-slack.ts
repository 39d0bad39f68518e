import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../lib/api/api.ts';
import { liveOn } from '../../../lib/events/live-on.ts';
import { leaveApp } from '../../../lib/leave-app.ts';

const STATUS_KEY = ['slack', 'status'] as const;
const CHANNELS_KEY = ['slack', 'channels'] as const;

/**
 * Whether the organization is connected to Slack. If the request fails, the error is only logged (specification,
 * section 8).
 */
export function useSlackStatus() {
  const status = useQuery({
    queryKey: STATUS_KEY,
    queryFn: ({ signal }) => api('GET /api/integrations/slack/status', { signal }),
    meta: liveOn({ subject: 'integration' }),
  });
  useEffect(() => {
    // oxlint-disable-next-line no-console
    if (status.error) console.error('Slack status could not be read', status.error);
  }, [status.error]);
  return status;
}

/** Opens Slack, where the person approves the connection. The browser then returns to the integrations screen. */
export function useConnectSlack() {
  return useMutation({
    mutationFn: () => api('POST /api/integrations/slack/tickets'),
    onSuccess: ({ url }) => leaveApp.to(url),
  });
}

export function useSlackChannels(isWanted: boolean) {
  return useQuery({
    queryKey: CHANNELS_KEY,
    queryFn: ({ signal }) => api('GET /api/integrations/slack/channels', { signal }),
    enabled: isWanted,
  });
}

export function usePickSlackChannel() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (channelId: string | null) => api('PATCH /api/integrations/slack', { body: { channelId } }),
    onSuccess: (status) => queryClient.setQueryData(STATUS_KEY, status),
  });
}

export function useDisconnectSlack() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => api('DELETE /api/integrations/slack'),
    onSuccess: (status) => queryClient.setQueryData(STATUS_KEY, status),
  });
}
