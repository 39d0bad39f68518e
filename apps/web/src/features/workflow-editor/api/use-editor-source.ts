import { useQuery } from '@tanstack/react-query';
import { documentId } from '../model/editor-address.ts';
import type { DocumentAddress } from '../model/editor-address.ts';
import { loadSource } from './load-source.ts';
import { editorKeys } from './query-keys.ts';

/**
 * The document at an address. It is loaded only once per opening, so that it never changes while it is being edited.
 * `session` distinguishes openings of the same address.
 */
export function useEditorSource(address: DocumentAddress, session: number) {
  return useQuery({
    queryKey: [...editorKeys.source(documentId(address)), session],
    queryFn: ({ signal }) => loadSource(address, Date.now(), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}
