import { Lock } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { useCan, useSignedIn } from '../../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../../ui/breadcrumbs.tsx';
import type { Crumb } from '../../../ui/breadcrumbs.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';

/** The page of one run, for members who can see runs (specification, section 6). Other people see why they can't. */
export function RunPage({ title, trail, children }: { title: string; trail: readonly Crumb[]; children: ReactNode }) {
  const { source, user } = useSignedIn();
  const canSee = useCan('workflow.read');
  const isKnown = source === 'server';
  return (
    <div className="page">
      <PageTitle>{title}</PageTitle>
      <Breadcrumbs trail={trail} />
      {isKnown && !user.currentOrgId ? (
        <EmptyState icon={Lock} heading="h1" title="No organization selected." />
      ) : isKnown && !canSee ? (
        <EmptyState icon={Lock} heading="h1" title="No access to runs">
          You don't have permission to view workflow runs in this organization.
        </EmptyState>
      ) : (
        <Suspense fallback={<RunLoading title={title} />}>{children}</Suspense>
      )}
    </div>
  );
}

export function RunLoading({ title }: { title: string }) {
  return (
    <>
      <h1 className="vh">{title}</h1>
      <div className="sheet">
        <SkeletonRows rows={6} label="Loading run" />
      </div>
    </>
  );
}
