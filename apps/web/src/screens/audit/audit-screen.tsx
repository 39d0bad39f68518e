import { Lock } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { useAuditEvents, useAuditStatus, useVerifyAudit } from '../../features/audit/api/use-audit.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { EVERYTHING, isNarrowed, readFilters, writeFilters } from '../../features/audit/model/audit-filters.ts';
import type { AuditFilters } from '../../features/audit/model/audit-filters.ts';
import { sealOf, wantsVerification, verifiedUpTo } from '../../features/audit/model/seal.ts';
import { AuditFilterBar } from '../../features/audit/components/audit-filter-bar.tsx';
import { ChainSeal } from '../../features/audit/components/chain-seal.tsx';
import { ExportCard } from '../../features/audit/components/export-card.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useSignedIn } from '../../lib/session/signed-in.ts';
import { useNow } from '../../lib/use-now.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EventList } from './event-list.tsx';
import styles from './audit-screen.module.css';

const TRAIL = [{ label: 'Dashboard', to: paths.app }, { label: 'Audit trail' }];

/** `/app/audit`, for people with permission to export the audit trail. Others see a message instead. */
export function AuditScreen() {
  const { source, user } = useSignedIn();
  const canSee = useCan('audit.export');
  if (source === 'server' && !user.currentOrgId)
    return <NoTrail title="Audit trail">No organization selected.</NoTrail>;
  if (source === 'server' && !canSee) {
    return (
      <NoTrail title="No access to the audit trail">
        You don't have permission to see the audit trail of this organization.
      </NoTrail>
    );
  }
  return <AuditTrail />;
}

function NoTrail({ title, children }: { title: string; children: string }) {
  return (
    <div className="page">
      <PageTitle>Audit trail</PageTitle>
      <Breadcrumbs trail={TRAIL} />
      <h1 className="title vh">Audit trail</h1>
      <EmptyState icon={Lock} title={title}>
        {children}
      </EmptyState>
    </div>
  );
}

function AuditTrail() {
  const [address, setAddress] = useSearchParams();
  const filters = readFilters(address);
  const now = useNow(30_000);
  const events = useAuditEvents(filters);
  const members = useMembers({ staleTime: 60_000 });
  const status = useAuditStatus({ from: filters.from, to: filters.to });
  const verify = useVerifyAudit();
  const change = (next: AuditFilters) => setAddress(writeFilters(next), { replace: true });

  const { mutate: begin, isIdle } = verify;
  const isDue = isIdle && status.data !== undefined && wantsVerification(status.data, now);
  useEffect(() => {
    if (isDue) begin();
  }, [isDue, begin]);

  const seal = status.data && sealOf(status.data);
  return (
    <div className="page">
      <PageTitle>Audit trail</PageTitle>
      <div className={styles.au}>
        <header>
          <Breadcrumbs trail={TRAIL} />
          <div className="head">
            <div>
              <h1 className="title">Audit trail</h1>
              <p className="sub">Every change: who, what and when. Entries can’t be edited.</p>
            </div>
          </div>
        </header>
        <div className={styles.trail}>
          <AuditFilterBar filters={filters} members={members.data ?? []} onChange={change} />
          <EventList
            events={events}
            now={now}
            total={isNarrowed(filters) ? null : (status.data?.eventsInRange ?? null)}
            brokenFrom={seal?.state === 'broken' ? seal.firstBadSeq : null}
            verifiedTo={status.data ? verifiedUpTo(status.data) : 0}
            filters={filters}
            onClearFilters={() => change(EVERYTHING)}
          />
        </div>
        <aside aria-label="Chain and export">
          {status.data ? (
            <ChainSeal
              status={status.data}
              now={now}
              error={verify.isError ? errorSentence(verify.error, 'Failed to start the verification') : null}
              isBeginning={verify.isPending}
              onVerify={() => verify.mutate()}
            />
          ) : status.isError ? (
            <ErrorState title="Error loading the chain" onRetry={() => void status.refetch()}>
              {errorSentence(status.error, 'Failed to load the state of the chain')}
            </ErrorState>
          ) : (
            <div className="sheet">
              <SkeletonRows rows={3} label="Loading the state of the chain" />
            </div>
          )}
          <ExportCard days={{ from: filters.from, to: filters.to }} />
        </aside>
      </div>
    </div>
  );
}
