import { Badge, StatusBadge } from '../../../ui/badge.tsx';
import { statusOf } from '../model/source.ts';
import type { SourceRecord } from '../model/source.ts';

/** The status of the open document. A changed live version is a draft that isn't saved yet. */
export function DocumentBadge({ record, dirty }: { record: SourceRecord; dirty: boolean }) {
  const isUnsavedDraft = record.kind === 'unsaved' || (record.kind === 'live' && dirty);
  return isUnsavedDraft ? <Badge tone="draft">Draft (not saved)</Badge> : <StatusBadge status={statusOf(record)} />;
}
