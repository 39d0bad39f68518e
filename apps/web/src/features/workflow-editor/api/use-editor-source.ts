import { useQuery } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { documentId } from '../model/editor-address.ts';
import type { DocumentAddress } from '../model/editor-address.ts';
import { loadSource } from './load-source.ts';
import { editorKeys } from './query-keys.ts';
import { versionQuery } from './use-base-content.ts';
import { versionsQuery } from './use-review-state.ts';

/**
 * The document at an address. It is loaded only once per opening, so that it never changes while it is being edited.
 * `session` distinguishes openings of the same address.
 */
export function useEditorSource(address: DocumentAddress, session: number) {
  return useQuery({
    queryKey: [...editorKeys.source(documentId(address)), session],
    queryFn: async ({ client, signal }) => {
      const [source] = await Promise.all([loadSource(address, Date.now(), signal), loadNotes(client, address)]);
      const { record } = source;
      // Without this, the marks of changed steps would appear later and move the rows.
      if (record.kind === 'draft' && record.baseVersion)
        await client.prefetchQuery(versionQuery(source.key, record.baseVersion));
      return source;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

/** Loads the data for the notes above the document. If that fails, the editor loads it again. */
async function loadNotes(client: QueryClient, address: DocumentAddress): Promise<void> {
  if (address.open === 'workflow') await client.prefetchQuery(versionsQuery(address.key));
}
