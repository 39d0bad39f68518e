import type { VersionRecord, WorkflowSummary } from '@stet/contract';
import type { WorkflowContent, WorkflowMetadata } from '@stet/domain/workflows';
import type { Api } from '../client/api.ts';

type LiveVersion = { id: string; number: number; hash: string };
/** The current state of a workflow on the server. */
export type Remote = {
  key: string;
  title: string;
  metadata: WorkflowMetadata;
  live: LiveVersion | null;
  /** Open drafts, newest first. */
  drafts: VersionRecord[];
};

/** The organization's workflows that aren't archived, by key. */
export async function listRemotes(api: Api): Promise<Map<string, Remote>> {
  const summaries = await api.list('GET /api/workflows', { query: { status: 'draft,in_review,live' } });
  return new Map(summaries.map((summary) => [summary.key, remoteOf(summary)]));
}

function remoteOf({ key, metadata, version, versions }: WorkflowSummary): Remote {
  const live = version && versions.find(({ id }) => id === version.id);
  return {
    key,
    title: metadata.title,
    metadata,
    live: version && live ? { id: version.id, number: version.number, hash: live.contentHash } : null,
    drafts: versions.filter(({ status }) => status === 'draft' || status === 'in_review'),
  };
}

/** The content of the live version. Null if nothing has been merged yet. */
export async function liveContent(api: Api, { key, live }: Remote): Promise<WorkflowContent | null> {
  if (!live) return null;
  const { metadata, steps } = await api.call('GET /api/workflows/{key}/versions/{version}', {
    params: { key, version: live.id },
  });
  return { metadata, steps };
}

/** The URL of a draft's review. */
export const reviewAddress = (server: string, key: string, draftId: string): string =>
  `${server}/app/review?key=${encodeURIComponent(key)}&id=${draftId}`;
