import type { VersionRecord } from '@stet/contract';
import { displayTitle, isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useVersions, useWorkflow } from '../../features/documentation/api/use-workflow.ts';
import { AsOfField } from '../../features/documentation/components/as-of-field.tsx';
import { VersionList } from '../../features/documentation/components/version-list.tsx';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { useOrganizationSettings } from '../../features/organizations/api/use-organization-settings.ts';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useOrganization, useUser } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import styles from './workflow-versions-screen.module.css';

const RollingBack = lazyDialog(
  async () => (await import('../../features/documentation/components/rolling-back.tsx')).RollingBack,
);

/** `/app/docs/{key}/versions`: every version and open draft of a workflow. */
export function WorkflowVersionsScreen() {
  const { key = '' } = useParams();
  const workflow = useWorkflow(key);
  const versions = useVersions(key);
  const title = workflow.data ? displayTitle(key, workflow.data.metadata.title) : key;
  const isTeam = useOrganization()?.type === 'team';
  const strict = useOrganizationSettings(useUser().currentOrgId ?? '').data?.strict;
  const canRollBack = useCan('draft.merge');
  const [target, setTarget] = useState<VersionRecord | null>(null);
  const error = workflow.error ?? versions.error;
  const retry = () => void Promise.all([workflow.refetch(), versions.refetch()]);
  return (
    <div className="page">
      <PageTitle>{`${isolated(title)}, versions`}</PageTitle>
      <Breadcrumbs
        trail={[
          { label: 'Dashboard', to: paths.app },
          { label: 'Documentation', to: paths.documentation({ key }) },
          { label: title },
        ]}
      />
      <WorkflowTabs workflowKey={key} current="versions" />
      <div className={styles.versionsPage}>
        {workflow.data && versions.data ? (
          <>
            <div className="head">
              <h1 className="title">{title}</h1>
              <AsOfField workflowKey={key} />
            </div>
            <div className="sheet">
              <VersionList
                workflowKey={key}
                versions={versions.data}
                isArchived={workflow.data.status === 'archived'}
                isTeam={isTeam}
                canRollBack={canRollBack}
                onRollBack={setTarget}
              />
            </div>
          </>
        ) : error ? (
          <ErrorState
            heading="h1"
            title={isStatus(error, 404) ? 'Not found' : 'Failed to load workflow'}
            {...(!isStatus(error, 404) && { onRetry: retry })}
            action={<ButtonLink to={paths.documentation()}>All documentation</ButtonLink>}
          >
            {errorSentence(error, '')}
          </ErrorState>
        ) : (
          <div className="sheet">
            <SkeletonRows rows={5} label="Loading versions..." />
          </div>
        )}
        {target && (
          <RollingBack workflowKey={key} title={title} to={target} strict={strict} onClose={() => setTarget(null)} />
        )}
      </div>
    </div>
  );
}
