import { useState } from 'react';
import { StartRunDialog } from '../../features/start-run/components/start-run-dialog.tsx';
import { OpenedWorkflow } from '../../features/workflow-editor/components/opened-workflow.tsx';
import type { DocumentAddress } from '../../features/workflow-editor/model/editor-address.ts';
import type { Organization } from '../../lib/session/signed-in.ts';

type BuilderScreenProps = { address: DocumentAddress; organization: Organization };

/** The builder. It replaces the management list while it is open. */
export function BuilderScreen({ address, organization }: BuilderScreenProps) {
  const [running, setRunning] = useState<{ key: string; title: string } | null>(null);
  return (
    <>
      <OpenedWorkflow route="builder" address={address} organization={organization} onStartRun={setRunning} />
      {running && <StartRunDialog workflow={running} onClose={() => setRunning(null)} />}
    </>
  );
}
