import { isolated } from '@stet/domain/workflows';
import { errorSentence, isCode } from '../../../lib/api/api-error.ts';
import { deletionWords } from '../../../lib/format/deletion-words.ts';
import { DestroyDialog } from '../../../ui/destroy-dialog.tsx';
import { toast } from '../../../ui/toast.ts';
import { useDeleteWorkflow } from '../api/use-delete-workflow.ts';
import type { Card } from '../model/card.ts';

type DeleteDialogProps = { card: Card; onClose: () => void };

/** Asks for confirmation, and says whether the workflow will be deleted or archived. */
export function DeleteDialog({ card, onClose }: DeleteDialogProps) {
  const remove = useDeleteWorkflow();
  const isReasonMissing = isCode(remove.error, 'reason_required');
  const confirm = (reason?: string) =>
    remove.mutate(
      { key: card.key, reason },
      {
        onSuccess: ({ outcome }) => {
          toast.ok(
            'Workflow Deleted',
            outcome === 'archived' ? `${isolated(card.title)} was archived with its history` : card.title,
          );
          onClose();
        },
      },
    );
  return (
    <DestroyDialog
      title={`Delete ${isolated(card.title)}?`}
      confirmLabel={card.wasLive ? 'Delete and archive' : 'Delete'}
      busy={remove.isPending && 'Deleting...'}
      error={remove.error && !isReasonMissing ? errorSentence(remove.error, 'Failed to delete workflow') : null}
      needsReason={isReasonMissing || remove.variables?.reason !== undefined}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {deletionWords(card.wasLive)} This action cannot be undone.
    </DestroyDialog>
  );
}
