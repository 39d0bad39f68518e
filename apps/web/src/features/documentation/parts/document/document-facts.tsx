import { isolated } from '@stet/domain/workflows';
import type { WorkflowDocument } from '@stet/contract';
import { formatDuration } from '@stet/domain/sla';
import { Link } from 'react-router';
import { formatDate, formatExact } from '../../../../lib/format/time.ts';
import { paths } from '../../../../lib/paths.ts';
import { StatusBadge } from '../../../../ui/badge.tsx';
import { Moment } from '../../../../ui/moment.tsx';

/** What a reader wants to know of a version before reading it: which, since when, by whose word, whose, how long. */
export function DocumentFacts({ document }: { document: WorkflowDocument }) {
  const { key, id, label, status, archived, liveSince, mergedAt, mergedBy, owner, slaTotalMs, updatedAt } = document;
  return (
    <dl className="doc-facts">
      <div>
        <dt>Version</dt>
        <dd className="row">
          <b className="med">{label}</b>
          <StatusBadge status={archived ? 'archived' : status} />
        </dd>
      </div>
      <div>
        <dt>{liveSince ? 'Live since' : mergedAt ? 'First live' : 'Last changed'}</dt>
        <dd>
          <Moment at={liveSince ?? mergedAt ?? updatedAt}>{formatDate(liveSince ?? mergedAt ?? updatedAt)}</Moment>
          {mergedBy && !liveSince && `, by ${isolated(mergedBy.name)}`}
        </dd>
      </div>
      <div>
        <dt>Approved by</dt>
        <dd>
          <Approvals document={document} />
          <span className="no-print">
            {' · '}
            <Link to={paths.review({ key, id })}>Review decisions</Link>
          </span>
        </dd>
      </div>
      <div>
        <dt>Owner</dt>
        <dd>{owner.name}</dd>
      </div>
      <div>
        <dt>SLA in total</dt>
        <dd>{slaTotalMs === null ? 'None' : formatDuration(slaTotalMs)}</dd>
      </div>
    </dl>
  );
}

function Approvals({ document: { approvals, version } }: { document: WorkflowDocument }) {
  if (approvals.length === 0) return <>{version === null ? 'Nobody yet' : 'Nobody: no approval was asked for'}</>;
  return approvals.map(({ reviewer, at, selfApproved }, n) => (
    <span key={reviewer.id} title={formatExact(at)}>
      {n > 0 && ', '}
      {isolated(reviewer.name)}
      {selfApproved && <span className="muted"> (self-approved)</span>}
    </span>
  ));
}
