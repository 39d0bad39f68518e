import { Navigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useUser } from '../lib/session/signed-in.ts';

/** `/app`: opens the editor for people who can edit, and My tasks for everyone else. */
export function Home() {
  const { currentOrgId, orgPermissions } = useUser();
  // Without an organization, the editor explains the next step.
  const isEditor = currentOrgId === null || orgPermissions.includes('draft.edit');
  return <Navigate to={isEditor ? paths.editor() : paths.tasks} replace />;
}
