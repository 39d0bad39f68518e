import type { BodyInput } from '@stet/contract';
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, apiWithHeaders } from '../../../lib/api/api.ts';

const KEY = ['installation'] as const;

export type PersonAction = BodyInput<'POST /api/installation/people/{id}'>['action'];
export type JobAction = BodyInput<'POST /api/installation/jobs/{id}'>['action'];

export const useInstallation = () =>
  useQuery({ queryKey: [...KEY, 'state'], queryFn: ({ signal }) => api('GET /api/installation', { signal }) });

type PageQuery = { cursor?: string; q?: string };
type Page<Row> = { body: Row[]; headers: Headers };

/** The entries of a list of the installation that contain `q`, in pages, newest first. An empty text finds all. */
const usePages = <Row>(list: string, q: string, read: (query: PageQuery, signal: AbortSignal) => Promise<Page<Row>>) =>
  useInfiniteQuery({
    queryKey: [...KEY, list, q],
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { body, headers } = await read(
        { ...(q !== '' && { q }), ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      );
      return { rows: body, next: headers.get('x-next-cursor') ?? undefined };
    },
    getNextPageParam: ({ next }) => next,
  });

export const useOrganizations = (q: string) =>
  usePages('organizations', q, (query, signal) =>
    apiWithHeaders('GET /api/installation/organizations', { query, signal }),
  );
export const usePeople = (q: string) =>
  usePages('people', q, (query, signal) => apiWithHeaders('GET /api/installation/people', { query, signal }));

export const useJobs = () =>
  useQuery({ queryKey: [...KEY, 'jobs'], queryFn: ({ signal }) => api('GET /api/installation/jobs', { signal }) });

export const useDeliveries = () =>
  useQuery({
    queryKey: [...KEY, 'deliveries'],
    queryFn: ({ signal }) => api('GET /api/installation/deliveries', { signal }),
  });

function useChanged() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEY });
}

export function usePersonAction() {
  const changed = useChanged();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: PersonAction }) =>
      api('POST /api/installation/people/{id}', { params: { id }, body: { action } }),
    onSettled: changed,
  });
}

export function useJobAction() {
  const changed = useChanged();
  return useMutation({
    mutationFn: ({ id, action }: { id: string; action: JobAction }) =>
      api('POST /api/installation/jobs/{id}', { params: { id }, body: { action } }),
    onSettled: changed,
  });
}

export function useRetryDelivery() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) => api('POST /api/installation/deliveries/{id}/retry', { params: { id } }),
    onSettled: changed,
  });
}

export function useDropDelivery() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (id: string) => api('POST /api/installation/deliveries/{id}/drop', { params: { id } }),
    onSettled: changed,
  });
}

export function useChangeSignUp() {
  const changed = useChanged();
  return useMutation({
    mutationFn: (signUp: string | null) => api('POST /api/installation/sign-up', { body: { signUp } }),
    onSettled: changed,
  });
}
