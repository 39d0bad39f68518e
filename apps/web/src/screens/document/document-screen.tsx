import type { WorkflowDocument } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router';
import { useExportDocument } from '../../features/documentation/api/use-export-document.ts';
import { useDocument, useVersions } from '../../features/documentation/api/use-workflow.ts';
import { DocumentArticle } from '../../features/documentation/components/document/document-article.tsx';
import { DocumentTools } from '../../features/documentation/components/document/document-tools.tsx';
import { WorkflowTabs } from '../../features/documentation/components/workflow-tabs.tsx';
import { errorSentence, isStatus } from '../../lib/api/api-error.ts';
import { paths } from '../../lib/paths.ts';
import { usePeople } from '../../lib/session/use-members.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { FailureNote, Note } from '../../ui/note.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import styles from '../../features/documentation/components/document/document.module.css';

/** `/app/docs/{key}` and `?version=`: a workflow as a document. */
export function DocumentScreen() {
  const { key = '' } = useParams();
  const [address] = useSearchParams();
  const { hash } = useLocation();
  const document = useDocument(key, address.get('version'));
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
        {document.data && !people.isLoading ? (
          <Reading key={document.data.id} document={document.data} hash={hash} />
        ) : document.data || document.isPending ? (
          <div className="sheet">
            <SkeletonRows rows={8} label="Loading the document" />
          </div>
        ) : (
          <ErrorState
            heading="h1"
            title={isStatus(document.error, 404) ? 'Not found' : 'Failed to load workflow'}
            {...(!isStatus(document.error, 404) && { onRetry: () => void document.refetch() })}
            action={<ButtonLink to={paths.documentation()}>All documentation</ButtonLink>}
          >
            {errorSentence(document.error, '')}
          </ErrorState>
        )}
      </div>
    </div>
  );
}

function Reading({ document, hash }: { document: WorkflowDocument; hash: string }) {
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
      {document.status !== 'live' && (
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
