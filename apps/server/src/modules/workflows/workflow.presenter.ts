import type { WorkflowSummary } from '@stet/contract';
import type { VersionRow } from './version-columns.ts';
import { presentVersion } from './version.presenter.ts';
import type { SummaryRow } from './workflows.sql.ts';

/** A workflow as lists show it. `versions` contains its open drafts and its live version, newest first. */
export function presentWorkflow(row: SummaryRow, versions: readonly VersionRow[]): WorkflowSummary {
  return {
    key: row.key,
    metadata: { title: row.title, description: row.description },
    status: row.status,
    version:
      row.live_version_id === null || row.live_version === null
        ? null
        : { number: row.live_version, id: row.live_version_id },
    versions: versions.map(presentVersion),
    stepsCount: row.steps_count,
    tags: row.tags,
    owner: row.owner,
    creator: row.creator,
    updatedAt: row.updated_at.toISOString(),
  };
}
