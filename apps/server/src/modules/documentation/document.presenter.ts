import type { WorkflowDocument } from '@stet/contract';
import { targetMs } from '@stet/domain/sla';
import { type RecordedPeriod, presentInForce } from '../workflows/index.ts';
import type { DocumentRow } from './documentation.sql.ts';

export const presentDocument = (
  row: DocumentRow,
  periods: readonly RecordedPeriod[],
  asOf: WorkflowDocument['asOf'],
): WorkflowDocument => ({
  ...presentInForce(row, periods),
  key: row.key,
  archived: row.archived_at !== null,
  metadata: row.metadata,
  steps: row.steps,
  owner: row.owner,
  contributors: row.contributors,
  liveSince: row.live_since?.toISOString() ?? null,
  mergedAt: row.merged_at?.toISOString() ?? null,
  mergedBy: row.merged_by,
  slaTotalMs: targetMs(row.steps),
  asOf,
});
