import { useQuery } from '@tanstack/react-query';
import { addressId } from '../model/editor-address.ts';
import type { EditorAddress } from '../model/editor-address.ts';
import { loadSource } from './load-source.ts';
import { editorKeys } from './query-keys.ts';

/**
 * The document behind an address of edit mode, loaded once for each opening: what is being edited never changes under
 * the person's hands. `session` tells openings of the same address apart.
 */
export function useEditorSource(address: Extract<EditorAddress, { mode: 'edit' }>, session: number) {
  return useQuery({
    queryKey: [...editorKeys.source(addressId(address)), session],
    queryFn: ({ signal }) => loadSource(address, Date.now(), signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}
