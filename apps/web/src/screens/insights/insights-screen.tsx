import { ChartColumn, Download, Lock, Printer } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { useNewDraft } from '../../features/documentation/api/use-new-draft.ts';
import { useDocument, useVersionNumbers } from '../../features/documentation/api/use-workflow.ts';
import { useCommentFigures } from '../../features/insights/api/use-improve-step.ts';
import {
  useDeviations,
  useExportInsights,
  useFinishedReviews,
  useOverview,
  usePeopleFigures,
  useWorkflowInsights,
} from '../../features/insights/api/use-insights.ts';
import { Deviations } from '../../features/insights/components/deviations.tsx';
import { Overview } from '../../features/insights/components/overview.tsx';
import { Reviews } from '../../features/insights/components/reviews.tsx';
import { RunViews } from '../../features/insights/components/run-views.tsx';
import { WorkflowFigures } from '../../features/insights/components/workflow-figures.tsx';
import {
  type Heat,
  HEATS,
  type StepInsights,
  deviationsComment,
  figuresComment,
  heatOf,
} from '../../features/insights/model/insight-words.ts';
import {
  NOT_LIVE,
  type Shown,
  WEEKS,
  WEEKS_WORDS,
  readShown,
  writeShown,
} from '../../features/insights/model/shown.ts';
import { useWorkflowChoices } from '../../features/runs/api/use-runs.ts';
import { LazyFlowPicture } from '../../features/workflow-editor/flow-picture/components/lazy-flow-picture.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { formatDate, formatFullDateTime } from '../../lib/format/time.ts';
import { paths } from '../../lib/paths.ts';
import { useCan, useSignedIn } from '../../lib/session/signed-in.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState, ErrorState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/field.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import styles from '../../features/insights/components/insights.module.css';

const TRAIL = [{ label: 'Dashboard', to: paths.app }, { label: 'Runs', to: paths.runs }, { label: 'Insights' }];

/** `/app/runs/insights`: figures about runs, for members who can see runs. */
export function InsightsScreen() {
  const { source, user } = useSignedIn();
  const canSee = useCan('workflow.read');
  const [address, setAddress] = useSearchParams();
  const shown = readShown(address);
  const change = (next: Shown) => setAddress(writeShown(next), { replace: true });
  const isBarred = source === 'server' && (!user.currentOrgId || !canSee);
  return (
    <div className="page">
      <PageTitle>Insights</PageTitle>
      <Breadcrumbs trail={TRAIL} />
      {isBarred ? (
        <>
          <h1 className="title vh">Insights</h1>
          <EmptyState icon={Lock} title="No access to runs">
            You don't have permission to view workflow runs in this organization.
          </EmptyState>
        </>
      ) : (
        <>
          {shown.workflow && <WorkflowTabs workflowKey={shown.workflow} current="runs" />}
          <RunViews
            current="insights"
            workflow={shown.workflow}
            version={shown.version === NOT_LIVE ? '' : shown.version}
          />
          {shown.workflow === '' ? (
            <OfOrganization shown={shown} onChange={change} />
          ) : shown.view === 'deviations' ? (
            <OfDeviations shown={shown} onChange={change} />
          ) : shown.view === 'reviews' ? (
            <OfReviews shown={shown} onChange={change} />
          ) : (
            // Another workflow starts with fresh state, so that its figures by person are only loaded on request.
            <OfWorkflow key={shown.workflow} shown={shown} onChange={change} />
          )}
        </>
      )}
    </div>
  );
}

type PartProps = { shown: Shown; onChange: (shown: Shown) => void };
type Counted = { asOf: string; from: string; to: string };

/** The title, the period, the time up to which events are counted, and the controls. */
function Head({ shown, onChange, title, counted }: PartProps & { title: string; counted: Counted | undefined }) {
  const workflows = useWorkflowChoices();
  const exporting = useExportInsights();
  const isUnlisted = shown.workflow !== '' && !workflows.data?.some(({ key }) => key === shown.workflow);
  const versions = useVersionNumbers(shown.workflow, shown.version === NOT_LIVE ? '' : shown.version);
  const print = () => window.print();
  return (
    <>
      <div className="head">
        <div>
          <h1 className="title">{title}</h1>
          <div className={classNames('sub xs', styles.counted)}>
            {counted
              ? `${shown.view === 'reviews' ? 'Reviews decided' : 'Runs started'} from ${day(counted.from)} to ${day(counted.to)}. Counted up to ${formatFullDateTime(counted.asOf)}.`
              : ' '}
          </div>
        </div>
        <div className={classNames('actions', styles.actions)}>
          <Button
            icon={Download}
            busy={exporting.isPending && 'Exporting…'}
            onClick={() =>
              exporting.mutate(shown, {
                onError: (error) => toast.bad(errorSentence(error, 'Failed to export the figures')),
              })
            }
          >
            Export CSV
          </Button>
          <Button icon={Printer} onClick={print}>
            Print
          </Button>
        </div>
      </div>
      <div className={styles.controls} role="search" aria-label="Choose figures">
        <Select
          className={styles.workflow}
          aria-label="Workflow"
          value={shown.workflow}
          onChange={(event) =>
            onChange({
              ...shown,
              workflow: event.target.value,
              version: '',
              kind: '',
              step: '',
              week: '',
              view: 'figures',
            })
          }
        >
          <option value="">All workflows</option>
          {isUnlisted && <option value={shown.workflow}>{shown.workflow}</option>}
          {(workflows.data ?? []).map((workflow) => (
            <option key={workflow.key} value={workflow.key}>
              {workflow.title}
            </option>
          ))}
        </Select>
        {shown.workflow !== '' && (
          <Select
            className={styles.version}
            aria-label="Version"
            value={shown.version}
            onChange={(event) => onChange({ ...shown, version: event.target.value })}
          >
            <option value="">All versions</option>
            {versions.map((version) => (
              <option key={version} value={version}>
                v{version}
              </option>
            ))}
            {shown.view === 'reviews' && <option value={NOT_LIVE}>Not live</option>}
          </Select>
        )}
        <Select
          aria-label="Period"
          value={shown.weeks}
          onChange={(event) =>
            onChange({ ...shown, week: '', weeks: WEEKS.find((weeks) => weeks === event.target.value) ?? shown.weeks })
          }
        >
          {WEEKS.map((weeks) => (
            <option key={weeks} value={weeks}>
              {WEEKS_WORDS[weeks]}
            </option>
          ))}
        </Select>
        {shown.workflow !== '' && (
          <SegmentedControl
            label="What to show"
            className={styles.views}
            value={shown.view}
            options={[
              { value: 'figures', label: 'Figures' },
              { value: 'deviations', label: 'Deviations' },
              { value: 'reviews', label: 'Reviews' },
            ]}
            onChange={(view) => onChange({ ...shown, view, version: shown.version === NOT_LIVE ? '' : shown.version })}
          />
        )}
      </div>
    </>
  );
}

const day = (text: string): string => formatDate(`${text}T12:00:00`);

/** Placeholders while figures load, or the error with a way to try again. */
function Loading({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (error)
    return (
      <ErrorState title="Error loading insights" onRetry={onRetry}>
        {errorSentence(error, 'Failed to load the figures')}
      </ErrorState>
    );
  return (
    <div className="sheet">
      <SkeletonRows rows={8} label="Loading insights" />
    </div>
  );
}

function OfOrganization(props: PartProps) {
  const overview = useOverview(props.shown);
  return (
    <>
      <Head {...props} title="Insights" counted={overview.data} />
      {!overview.data ? (
        <Loading error={overview.error} onRetry={() => void overview.refetch()} />
      ) : overview.data.runs.started === 0 && overview.data.late.length === 0 ? (
        <NothingYet />
      ) : (
        <Overview overview={overview.data} shown={props.shown} />
      )}
    </>
  );
}

const NothingYet = () => (
  <EmptyState icon={ChartColumn} title="No runs in this period">
    Figures appear once runs have been started. Choose a longer period to see older runs.
  </EmptyState>
);

function OfDeviations(props: PartProps) {
  const found = useDeviations(props.shown);
  const first = found.data?.pages[0]?.body;
  const { workflow } = props.shown;
  const improve = useImproveStep(workflow);
  const canEdit = useCan('draft.edit');
  const live = useDocument(workflow, { version: null, asOf: null });
  return (
    <>
      <Head {...props} title={first?.workflow.title ?? 'Insights'} counted={first} />
      {!first ? (
        <Loading error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Deviations
          {...props}
          onImprove={canEdit ? (stepId) => improve.start(deviationsComment(first, stepId), stepId) : null}
          isBusy={improve.isBusy}
          stepIds={new Set(live.data?.steps.map(({ id }) => id))}
          first={first}
          findings={found.data?.pages.flatMap(({ body }) => body.findings) ?? []}
          onMore={found.hasNextPage ? () => void found.fetchNextPage() : null}
          isLoadingMore={found.isFetchingNextPage}
        />
      )}
    </>
  );
}

function OfReviews(props: PartProps) {
  const found = useFinishedReviews(props.shown);
  const first = found.data?.pages[0]?.body;
  return (
    <>
      <Head {...props} title={first?.workflow.title ?? 'Insights'} counted={first} />
      {!first ? (
        <Loading error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Reviews
          {...props}
          first={first}
          reviews={found.data?.pages.flatMap(({ body }) => body.reviews) ?? []}
          onMore={found.hasNextPage ? () => void found.fetchNextPage() : null}
          isLoadingMore={found.isFetchingNextPage}
        />
      )}
    </>
  );
}

function OfWorkflow(props: PartProps) {
  const { shown } = props;
  const [withPeople, setWithPeople] = useState(false);
  const insights = useWorkflowInsights(shown);
  const people = usePeopleFigures(shown.workflow, withPeople);
  const canManage = useCan('org.manage');
  const improve = useImproveStep(shown.workflow);
  const canEdit = useCan('draft.edit');
  const { data } = insights;
  return (
    <>
      <Head {...props} title={data?.workflow.title ?? 'Insights'} counted={data} />
      {!data ? (
        <Loading error={insights.error} onRetry={() => void insights.refetch()} />
      ) : data.runs.started === 0 && data.load.length === 0 ? (
        <NothingYet />
      ) : (
        <WorkflowFigures
          insights={data}
          shown={shown}
          onImprove={canEdit ? (step) => improve.start(figuresComment(data, step), step.stepId) : null}
          isBusy={improve.isBusy}
          people={people.data ?? null}
          onShowPeople={
            people.isError ? () => void people.refetch() : canManage && !withPeople ? () => setWithPeople(true) : null
          }
          flow={<HeatMap workflow={shown.workflow} version={data.stepsOf} steps={data.steps} />}
        />
      )}
    </>
  );
}

/** Opens the person’s newest draft that isn’t in review, or a new one, with the figures as a comment on the step. */
function useImproveStep(key: string) {
  const navigate = useNavigate();
  const newDraft = useNewDraft();
  const comment = useCommentFigures();
  const start = (body: string, stepId: string) => {
    newDraft.mutate(
      { key, as: 'version' },
      {
        onError: (error) => toast.bad(errorSentence(error, 'Failed to create the draft')),
        onSuccess: ({ draftId }) =>
          comment.mutate(
            { key, draftId, stepId, body },
            {
              onError: (error) => toast.bad(errorSentence(error, 'The figures could not be added to your draft')),
              onSettled: () => void navigate(paths.editor({ key, mode: 'edit', draftId })),
            },
          ),
      },
    );
  };
  return { start, isBusy: newDraft.isPending || comment.isPending };
}

/** `version` is the one that has the steps; null if the workflow has only drafts. */
type HeatMapProps = { workflow: string; version: number | null; steps: readonly StepInsights[] };

/** The flow picture, with one figure in each step. */
function HeatMap({ workflow, version, steps }: HeatMapProps) {
  const [heat, setHeat] = useState<Heat>('time');
  const content = useDocument(workflow, { version: version === null ? null : String(version), asOf: null });
  if (!content.data) return null;
  return (
    <div>
      <div className={styles.flowHead}>
        <h3 className="h3">{version === null ? 'Flow' : `Flow of v${version}`}</h3>
        <SegmentedControl
          label="Figure in the flow"
          value={heat}
          options={(Object.keys(HEATS) as Heat[]).map((value) => ({ value, label: HEATS[value].label }))}
          onChange={setHeat}
        />
      </div>
      <div className={styles.flow}>
        <LazyFlowPicture
          steps={content.data.steps}
          heat={heatOf(steps, heat)}
          name={`${workflow}-${heat}`}
          label="Flow with figures"
        />
      </div>
    </div>
  );
}
