import type { Run } from '@stet/contract';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';

/** A link to the run's version as a document. */
export function VersionLink({ run }: { run: Pick<Run, 'workflowKey' | 'workflowVersion'> }) {
  return (
    <Link to={paths.document(run.workflowKey, { version: run.workflowVersion })} title="Read this version">
      v{run.workflowVersion}
    </Link>
  );
}
