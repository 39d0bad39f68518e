import type { VersionRecord } from '@stet/contract';
import { RotateCcw } from 'lucide-react';
import { Link } from 'react-router';
import { draftShortId } from '../../../lib/format/draft-short-id.ts';
import { formatWhole } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { comparedWith, rollbackProblem } from '../model/version-facts.ts';

type VersionListProps = {
  workflowKey: string;
  versions: readonly VersionRecord[];
  isArchived: boolean;
  /** Whoever may not has no such button at all. */
  mayRollBack: boolean;
  onRollBack: (version: VersionRecord) => void;
};

/** Every version and open draft, newest first; each can be read, compared, and gone back to where it was live. */
export function VersionList({ workflowKey, versions, isArchived, mayRollBack, onRollBack }: VersionListProps) {
  return (
    <ul className="lines versions">
      {versions.map((version) => {
        const { id, label, status, createdAt } = version;
        const other = comparedWith(version, versions);
        const isDraft = version.version === null;
        const ownName = isDraft ? `draft ${draftShortId(id)}` : label;
        return (
          <li key={id}>
            <span className="row">
              <Link className="quiet-link bold" to={paths.document(workflowKey, { version: version.version ?? id })}>
                {label}
              </Link>
              <StatusBadge status={status} />
            </span>
            <span className="xs muted made">
              <span>
                <Moment at={createdAt}>{formatWhole(createdAt)}</Moment>
                {isDraft && (
                  <>
                    , <span className="mono">{draftShortId(id)}</span>
                  </>
                )}
              </span>
              {other && (
                <Link
                  to={paths.compare({ key: workflowKey, from: other.version ?? other.id, to: version.version ?? id })}
                >
                  Compare<span className="vh"> {ownName}</span> with {other.label}
                </Link>
              )}
            </span>
            <span className="acts">
              {isDraft && (
                <ButtonLink className="go" tone="quiet" size="sm" to={paths.review({ key: workflowKey, id })}>
                  Open review<span className="vh"> of {ownName}</span>
                </ButtonLink>
              )}
              {mayRollBack && (
                <Button
                  size="sm"
                  icon={RotateCcw}
                  disabledReason={rollbackProblem(version, { isArchived })}
                  onClick={() => onRollBack(version)}
                >
                  Rollback<span className="vh"> to {ownName}</span>
                </Button>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
