import { useWorkflows } from '../../features/workflow-editor/api/use-workflows.ts';
import { pickerCards } from '../../features/workflow-editor/model/picker-cards.ts';
import type { SetupProgress } from '../../features/first-steps/model/first-steps-done.ts';

/** An organization with more workflows than this isn't new. */
const FEW = 3;

/**
 * The workflows' part of the progress that the checklist shows, or null while the workflows load or if the organization
 * isn't new.
 */
export function useWorkflowProgress(organizationId: string): Pick<SetupProgress, 'draft' | 'liveKey'> | null {
  const { data: workflows } = useWorkflows(organizationId);
  if (!workflows || workflows.length > FEW) return null;
  const drafts = pickerCards(workflows).flatMap(({ key, draft }) => (draft ? [{ key, id: draft.id }] : []));
  return { draft: drafts[0] ?? null, liveKey: workflows.find(({ status }) => status === 'live')?.key ?? null };
}
