import { EMPTY_CONTENT, duplicateContent } from '@stet/domain/workflows';
import { useQuery } from '@tanstack/react-query';
import type { BuilderAddress } from '../../features/workflow-editor/builder/model/builder-address.ts';
import { builderAddressId } from '../../features/workflow-editor/builder/model/builder-address.ts';
import { loadSource } from '../../features/workflow-editor/api/load-source.ts';
import type { EditorSource } from '../../features/workflow-editor/model/source.ts';
import { freeCopyKey } from '../../features/workflow-list/api/free-copy-key.ts';
import { api } from '../../lib/api/api.ts';

const EMPTY: EditorSource = {
  key: '',
  saved: EMPTY_CONTENT,
  edited: EMPTY_CONTENT,
  record: { kind: 'unsaved' },
  opened: 'template',
};

/** The document at an address of the builder. It is loaded once per opening, and `session` distinguishes openings. */
export function useBuilderSource(address: BuilderAddress, session: number) {
  return useQuery({
    queryKey: ['builder-source', builderAddressId(address), session],
    queryFn: ({ signal }) => load(address, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

async function load(address: BuilderAddress, signal: AbortSignal): Promise<EditorSource> {
  switch (address.open) {
    case 'new':
      return EMPTY;
    case 'duplicate': {
      const [source, key] = await Promise.all([
        api('GET /api/workflows/{key}', { params: { key: address.source }, signal }),
        freeCopyKey(address.source),
      ]);
      const copy = duplicateContent(source);
      // A copy differs from its original from the start, because it has another title.
      const saved = { metadata: source.metadata, steps: copy.steps };
      return { key, saved, edited: copy, record: { kind: 'unsaved' }, opened: 'duplicate' };
    }
    case 'workflow': {
      const { key, draftId } = address;
      return loadSource({ mode: 'edit', open: 'workflow', key, draftId }, 0, signal);
    }
  }
}
