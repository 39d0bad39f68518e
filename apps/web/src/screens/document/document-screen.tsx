import type { WorkflowDocument } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { useExportDocument } from '../../features/documentation/api/use-export-document.ts';
import { useDocument, useVersions } from '../../features/documentation/api/use-workflow.ts';
import { AsOfField } from '../../features/documentation/components/as-of-field.tsx';
import { DocumentArticle } from '../../features/documentation/components/document/document-article.tsx';
import { DocumentTools } from '../../features/documentation/components/document/document-tools.tsx';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { errorSentence, isCode, isStatus } from '../../lib/api/api-error.ts';
import { formatDate, formatExactPeriod, formatFullDateTime, formatPeriod } from '../../lib/format/time.ts';
import { paths } from '../../lib/paths.ts';
import { isDay } from '../../lib/period.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { FailureNote, Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import styles from '../../features/documentation/components/document/document.module.css';

/** `/app/docs/{key}`, `?version=` and `?asOf=`: a workflow as a document. */
export function DocumentScreen() {
  const { key = '' } = useParams();
  const [address] = useSearchParams();
  const { hash } = useLocation();
  const asOf = address.get('asOf');
  const document = useDocument(key, { version: address.get('version'), asOf });
  const people = usePeople();
  const title = document.data ? displayTitle(key, document.data.metadata.title) : key;
  return (
    <div className="page">
      <PageTitle>{title}</PageTitle>
      <Breadcrumbs
        trail={[
          { label: 'Dashboard', to: paths.app },
          { label: 'Documentation', to: paths.documentation({ key }) },
          { label: title },
        ]}
      />
      <WorkflowTabs workflowKey={key} current="read" />
      <div className={styles.docPage}>
        <div className={styles.docAsOf}>
          <AsOfField workflowKey={key} asOf={asOf} />
        </div>
        {document.data && !people.isLoading ? (
          <Reading key={document.data.id} document={document.data} asOf={asOf} hash={hash} />
        ) : document.data || document.isPending ? (
          <div className="sheet">
            <SkeletonRows rows={8} label="Loading the document" />
          </div>
        ) : (
          <ErrorState
            heading="h1"
            title={errorTitle(document.error)}
            {...(!isRefused(document.error) && { onRetry: () => void document.refetch() })}
            action={
              isCode(document.error, 'not_in_force') ? (
                <ButtonLink to={paths.versions(key)}>All versions</ButtonLink>
              ) : asOf !== null && !isStatus(document.error, 404) ? (
                <ButtonLink to={paths.document(key)}>Read the live version</ButtonLink>
              ) : (
                <ButtonLink to={paths.documentation()}>All documentation</ButtonLink>
              )
            }
          >
            {errorSentence(document.error, '')}
          </ErrorState>
        )}
      </div>
    </div>
  );
}

const isRefused = (error: unknown): boolean => isStatus(error, 404) || isStatus(error, 400);

function errorTitle(error: unknown): string {
  if (isCode(error, 'not_in_force')) return 'Nothing was in force';
  if (isStatus(error, 404)) return 'Not found';
  return isStatus(error, 400) ? 'Choose another date' : 'Failed to load workflow';
}

type ReadingProps = { document: WorkflowDocument; asOf: string | null; hash: string };

function Reading({ document, asOf, hash }: ReadingProps) {
  const navigate = useNavigate();
  const versions = useVersions(document.key);
  const exporting = useExportDocument(document);
  const live = versions.data?.find(({ status }) => status === 'live');
  return (
    <>
      <DocumentTools
        document={document}
        versions={versions.data ?? []}
        exporting={exporting.isPending ? exporting.variables : null}
        onPick={({ id, version, status }) =>
          void navigate(paths.document(document.key, status === 'live' ? {} : { version: version ?? id }))
        }
        onExport={(format) => exporting.mutate(format)}
      />
      {exporting.error && (
        <FailureNote
          above
          cause={exporting.error}
          title="Export Failed"
          message={errorSentence(exporting.error, 'Failed to export workflow')}
          onDismiss={exporting.reset}
        />
      )}
      {asOf !== null && document.asOf && (
        <div className={styles.docNote}>
          <AsOfNote document={document} asOf={asOf} timeZone={document.asOf.timeZone} />
        </div>
      )}
      {document.status !== 'live' && document.asOf === null && (
        <div className={styles.docNote}>
          <Note tone="warn">
            {document.version === null
              ? 'This is a draft. It goes live when it is approved and merged.'
              : 'This version is no longer live.'}{' '}
            {live && <Link to={paths.document(document.key)}>Read {live.label}, the live version</Link>}
          </Note>
        </div>
      )}
      <DocumentArticle document={document} hash={hash} />
    </>
  );
}

/** Shows when the version was in force, and links to the live one. */
function AsOfNote({ document, asOf, timeZone }: { document: WorkflowDocument; asOf: string; timeZone: string }) {
  const at = document.asOf?.at ?? '';
  const period = document.inForce.find(({ from, until }) => from <= at && (until === null || at < until));
  const isDate = isDay(asOf);
  return (
    <Note tone={period?.until === null ? 'plain' : 'warn'}>
      <b className="med">
        As of {isDate ? formatDate(`${asOf}T12:00`) : formatFullDateTime(at)}: {document.label}
      </b>
      {period &&
        (period.until === null ? (
          <>
            {' '}
            has been in force since <Moment at={period.from}>{formatDate(period.from)}</Moment>.
          </>
        ) : (
          <>
            {' '}
            was in force{' '}
            <span title={formatExactPeriod(period.from, period.until)}>{formatPeriod(period.from, period.until)}</span>.
          </>
        ))}{' '}
      {isDate && <>This is the version at the end of that day ({timeZone.replaceAll('_', ' ')}). </>}
      <Link to={paths.document(document.key)}>Read the live version</Link>
    </Note>
  );
}
