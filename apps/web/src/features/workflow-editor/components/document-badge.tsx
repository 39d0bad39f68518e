import { usePresence } from '../../../lib/events/live-updates.tsx';
import { Badge, StatusBadge } from '../../../ui/badge.tsx';
import { PeopleHere } from '../../../ui/people-here.tsx';
import { statusOf } from '../model/source.ts';
import type { SourceRecord } from '../model/source.ts';

/** The status of the open document, and who else has the draft open. A changed live version is an unsaved draft. */
export function DocumentBadge({ record, dirty }: { record: SourceRecord; dirty: boolean }) {
  const isUnsavedDraft = record.kind === 'unsaved' || (record.kind === 'live' && dirty);
  return (
    <>
      {isUnsavedDraft ? <Badge tone="draft">Draft (not saved)</Badge> : <StatusBadge status={statusOf(record)} />}
      {record.kind === 'draft' && <DraftViewers draftId={record.draftId} />}
    </>
  );
}

const DraftViewers = ({ draftId }: { draftId: string }) => <PeopleHere people={usePresence(draftId)} />;
