import { duplicateContent } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { useQuery } from '@tanstack/react-query';
import type { BuilderAddress } from '../../features/builder/model/builder-address.ts';
import { builderAddressId } from '../../features/builder/model/builder-address.ts';
import { loadSource } from '../../features/editor/api/load-source.ts';
import type { EditorSource } from '../../features/editor/model/source.ts';
import { freeCopyKey } from '../../features/workflow-list/api/free-copy-key.ts';
import { api } from '../../lib/api/api.ts';

const NOTHING: WorkflowContent = { metadata: { title: '', description: '' }, steps: [] };
const EMPTY: EditorSource = {
  key: '',
  saved: NOTHING,
  edited: NOTHING,
  record: { kind: 'unsaved' },
  opened: 'template',
};

/** The document that an address of the builder names, loaded once for each opening. `session` tells openings apart. */
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
      // Compared with what it was copied from, a copy is changed from its first moment: its title is.
      const saved = { metadata: source.metadata, steps: copy.steps };
      return { key, saved, edited: copy, record: { kind: 'unsaved' }, opened: 'duplicate' };
    }
    case 'workflow': {
      const { key, draftId } = address;
      return loadSource({ mode: 'edit', open: 'workflow', key, draftId }, 0, signal);
    }
  }
}
