import { displayTitle, isolated } from '@stet/domain/workflows';
import { useParams } from 'react-router';
import { useWorkflow } from '../../features/documentation/api/use-workflow.ts';
import { useEscalation } from '../../features/escalation/api/use-escalation.ts';
import { useWorkflowPeople } from '../../features/workflow-people/api/use-workflow-people.ts';
import { EscalationForm } from '../../features/escalation/components/escalation-form.tsx';
import { TagsForm } from '../../features/documentation/components/tags-form.tsx';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { PeoplePart } from './people-part.tsx';
import styles from './workflow-settings-screen.module.css';

/** `/app/docs/{key}/settings`: settings of a workflow that aren't part of its versions. */
export function WorkflowSettingsScreen() {
  const { key = '' } = useParams();
  const escalation = useEscalation(key);
  const workflow = useWorkflow(key);
  const people = useWorkflowPeople(key);
  const members = useMembers();
  const title = workflow.data ? displayTitle(key, workflow.data.metadata.title) : key;
  return (
    <div className="page">
      <PageTitle>{`${isolated(title)}, settings`}</PageTitle>
      <Breadcrumbs
        trail={[
          { label: 'Dashboard', to: paths.app },
          { label: 'Documentation', to: paths.documentation({ key }) },
          { label: title },
        ]}
      />
      <WorkflowTabs workflowKey={key} current="settings" />
      <div className={styles.settings}>
        <div className="head">
          <div>
            <h1 className="title">{title}</h1>
            <p className="sub">
              Changes here need no new version. They also apply to runs and drafts that are already open.
            </p>
          </div>
        </div>
        {[workflow, escalation, people, members].some(({ isLoading }) => isLoading) ? (
          <div className="sheet">
            <SkeletonRows rows={4} label="Loading settings" />
          </div>
        ) : (
          <>
            <h2 className="title-sm">Tags</h2>
            <p className="sub">Words by which people find this workflow in lists</p>
            {workflow.data && <TagsForm workflowKey={key} tags={workflow.data.tags} />}
            {workflow.data && (
              <>
                <h2 className="title-sm">People</h2>
                <p className="sub">Who is responsible for this workflow, and who reviews it</p>
                <PeoplePart workflowKey={key} people={people} members={members} />
              </>
            )}
            <h2 className="title-sm">Escalation</h2>
            <p className="sub">Who is notified when a step breaches its SLA</p>
            <Escalation workflowKey={key} query={escalation} />
          </>
        )}
      </div>
    </div>
  );
}

function Escalation({ workflowKey, query }: { workflowKey: string; query: ReturnType<typeof useEscalation> }) {
  const { data, error, refetch } = query;
  if (!data) return error && <Absent error={error} onRetry={() => void refetch()} />;
  return (
    <>
      {!data.abilities.change && <Note className={styles.note}>Only people who can merge can change this.</Note>}
      <EscalationForm workflowKey={workflowKey} saved={data} />
      {data.updatedAt && (
        <p className="xs muted">
          Changed <RelativeTime at={data.updatedAt} />
          {data.updatedBy && ` by ${isolated(data.updatedBy)}`}
        </p>
      )}
    </>
  );
}

function Absent({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isStatus(error, 404) || isStatus(error, 400)) {
    return (
      <ErrorState
        title="Workflow not found"
        action={<ButtonLink to={paths.documentation()}>Back to Documentation</ButtonLink>}
      >
        It may belong to another organization, or the link may be incomplete.
      </ErrorState>
    );
  }
  return (
    <ErrorState title="Error loading the escalation" onRetry={onRetry}>
      {errorSentence(error, 'Failed to load the escalation')}
    </ErrorState>
  );
}
