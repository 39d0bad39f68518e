import { Link } from 'react-router';
import { formatDate } from '../lib/format/time.ts';
import { paths } from '../lib/paths.ts';
import { useCan, useOrganization } from '../lib/session/signed-in.ts';
import { Note } from '../ui/note.tsx';

/** Announces the end of the selected organization to its members. Renders nothing if the organization doesn't end. */
export function EndingNote({ className }: { className: string | undefined }) {
  const endsAt = useOrganization()?.endsAt;
  const canExport = useCan('audit.export');
  if (endsAt === undefined) return null;
  return (
    <div className={className}>
      <Note tone="warn">
        <b>This organization ends on {formatDate(endsAt)}.</b> The administrator of this server has decided this. Until
        then, you can read everything but change nothing; after that day, everything is deleted.{' '}
        {canExport && (
          <>
            <Link to={paths.audit}>Export the audit trail</Link> if you need it.{' '}
          </>
        )}
        If the organization should continue, ask the administrator to cancel this.
      </Note>
    </div>
  );
}
