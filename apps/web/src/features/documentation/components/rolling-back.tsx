import type { VersionRecord } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { useCan, useUser } from '../../../lib/session/signed-in.ts';
import { toast } from '../../../ui/toast.ts';
import { useRestore, useRollBack } from '../api/use-roll-back.ts';
import { RollbackDialog, RollbackReviewDialog } from './rollback-dialog.tsx';

type RollingBackProps = {
  workflowKey: string;
  title: string;
  to: VersionRecord;
  /** Whether every review is strict, which rules out emergencies. Undefined while unknown. */
  strict: boolean | undefined;
  onClose: () => void;
};

/**
 * Asks for confirmation before a rollback. If it needs a review, offers editors to open the version as a draft, and
 * owners to roll back in an emergency.
 */
export function RollingBack({ workflowKey, title, to, strict, onClose }: RollingBackProps) {
  const navigate = useNavigate();
  const rollBack = useRollBack(workflowKey);
  const restore = useRestore(workflowKey);
  const isOwner = useUser().orgRole === 'owner';
  const canEdit = useCan('draft.edit');
  const [refused, setRefused] = useState<{ reason: string; sentence: string; losses: readonly string[] } | null>(null);
  const version = to.version ?? 0;
  const send = (change: { reason: string; emergency?: true }) =>
    !rollBack.isPending &&
    rollBack.mutate(
      { version, ...change },
      {
        onSuccess: () => {
          toast.ok('Rolled back', `${to.label} of ${isolated(title)} is live.`);
          onClose();
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'rollback_needs_review' && !change.emergency) {
            setRefused({ reason: change.reason, sentence: error.message, losses: error.details.flatMap(lossIn) });
            rollBack.reset();
          } else toast.bad('Rollback failed', errorSentence(error, ''));
        },
      },
    );
  const open = () =>
    !restore.isPending &&
    restore.mutate(version, {
      onSuccess: ({ draftId }) => void navigate(paths.editor({ key: workflowKey, draftId })),
    });
  if (refused === null) {
    return (
      <RollbackDialog
        title={title}
        version={version}
        busy={rollBack.isPending}
        error={rollBack.isError ? errorSentence(rollBack.error, 'Rollback failed') : null}
        onConfirm={(reason) => send({ reason })}
        onClose={onClose}
      />
    );
  }
  const failed = rollBack.error ?? restore.error;
  return (
    <RollbackReviewDialog
      title={title}
      version={version}
      sentence={refused.sentence}
      losses={refused.losses}
      busy={restore.isPending ? 'draft' : rollBack.isPending ? 'emergency' : null}
      error={failed ? errorSentence(failed, 'Rollback failed') : null}
      onOpenAsDraft={canEdit ? open : null}
      onEmergency={isOwner && strict !== true ? () => send({ reason: refused.reason, emergency: true }) : null}
      onClose={onClose}
    />
  );
}

/** Reads a reason for the review from one of the refusal's details. */
function lossIn(detail: unknown): string[] {
  if (typeof detail !== 'object' || detail === null || !('sentence' in detail)) return [];
  return typeof detail.sentence === 'string' ? [detail.sentence] : [];
}
