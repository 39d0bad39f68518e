import type { Confirmation } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { toast } from '../../../ui/toast.ts';
import { type Decision, useDecide } from '../api/use-confirmations.ts';
import { KIND_WORDS, reasonOf } from './kind-words.ts';

export type Deciding = { confirmation: Confirmation; to: 'confirm' | 'refuse' | 'withdraw' };

const DONE = { confirm: 'Confirmed', refuse: 'Refused', withdraw: 'Withdrawn' } as const;

/** Asks for confirmation before a proposal is decided. The dialog opens when it is mounted. */
export function DecideDialog({ confirmation, to, onClose }: Deciding & { onClose: () => void }) {
  const decide = useDecide();
  const words = KIND_WORDS[confirmation.kind];
  const { sentence } = confirmation;
  const reason = reasonOf(confirmation);
  const error = decide.isError ? errorSentence(decide.error, 'An error occurred') : null;
  const send = (decision: Decision) => {
    if (decide.isPending) return;
    // Deciding the last proposal unmounts the list and this dialog, so callbacks of `mutate` might not run.
    void decide.mutateAsync(decision).then(
      () => {
        toast.ok(DONE[to], sentence);
        onClose();
      },
      () => undefined,
    );
  };
  switch (to) {
    case 'confirm':
      return (
        <ConfirmDialog
          open
          title={sentence}
          confirmLabel={words.confirm}
          busy={decide.isPending && 'Confirming…'}
          error={error}
          onConfirm={() => send({ id: confirmation.id, to: 'confirm' })}
          onCancel={onClose}
        >
          {reason !== null && <>Reason given: “{isolated(reason)}” </>}
          {words.about}
        </ConfirmDialog>
      );
    case 'refuse':
      return (
        <ReasonDialog
          title={sentence}
          confirmLabel="Refuse"
          cancelLabel="Cancel"
          danger
          busy={decide.isPending && 'Refusing…'}
          error={error}
          onConfirm={(reason) => send({ id: confirmation.id, to: 'refuse', reason })}
          onClose={onClose}
        >
          {words.refusal}
        </ReasonDialog>
      );
    case 'withdraw':
      return (
        <ConfirmDialog
          open
          title={sentence}
          confirmLabel="Withdraw"
          busy={decide.isPending && 'Withdrawing…'}
          error={error}
          onConfirm={() => send({ id: confirmation.id, to: 'refuse' })}
          onCancel={onClose}
        >
          This withdraws your proposal. Nothing else changes.
        </ConfirmDialog>
      );
  }
}
