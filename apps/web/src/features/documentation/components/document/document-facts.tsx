import { isolated } from '@stet/domain/workflows';
import type { WorkflowDocument } from '@stet/contract';
import { formatDuration } from '@stet/domain/sla';
import { Link } from 'react-router';
import { emergencyTone, emergencyWords } from '../../../../lib/format/emergency-words.ts';
import { formatDate, formatExact } from '../../../../lib/format/time.ts';
import { paths } from '../../../../lib/paths.ts';
import { useOrganization } from '../../../../lib/session/signed-in.ts';
import { Badge, StatusBadge } from '../../../../ui/badge.tsx';
import { Moment } from '../../../../ui/moment.tsx';
import { caveatOf } from '../../model/version-facts.ts';
import styles from './document.module.css';

export function DocumentFacts({ document }: { document: WorkflowDocument }) {
  const { key, id, label, status, archived, liveSince, mergedAt, mergedBy, owner, slaTotalMs, updatedAt, emergency } =
    document;
  return (
    <dl className={styles.docFacts}>
      <div>
        <dt>Version</dt>
        <dd className="row">
          <b className="med">{label}</b>
          <StatusBadge status={archived ? 'archived' : status} />
          {emergency && <Badge tone={emergencyTone(emergency)}>{emergencyWords(emergency)}</Badge>}
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
          <span className={styles.noPrint}>
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
        <dt>Total SLA</dt>
        <dd>{slaTotalMs === null ? 'None' : formatDuration(slaTotalMs)}</dd>
      </div>
    </dl>
  );
}

function Approvals({ document: { approvals, version } }: { document: WorkflowDocument }) {
  const isTeam = useOrganization()?.type === 'team';
  if (approvals.length === 0) {
    if (version === null) return <>Nobody yet</>;
    return <>{isTeam ? 'Nobody: merged without approval' : 'Nobody: no approval was required'}</>;
  }
  return approvals.map(({ reviewer, onBehalfOf, at, ...approval }, n) => (
    <span key={reviewer.id} title={formatExact(at)}>
      {n > 0 && ', '}
      {isolated(reviewer.name)}
      {onBehalfOf && ` for ${isolated(onBehalfOf.name)}`}
      {caveatOf(approval) !== '' && <span className="muted"> ({caveatOf(approval)})</span>}
    </span>
  ));
}
