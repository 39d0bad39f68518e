import { LegacyHome } from '../../features/legacy/components/legacy-home.tsx';
import { paths } from '../../lib/paths.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** `/app/legacy-workflows` (specification, section 2, legacy home page). */
export function LegacyWorkflowsScreen() {
  return (
    <div className="page">
      <PageTitle>Legacy workflows</PageTitle>
      <Breadcrumbs trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Legacy workflows' }]} />
      <div className="head">
        <h1 className="title">Legacy workflows</h1>
      </div>
      <LegacyHome />
    </div>
  );
}
