import type { ReactNode } from 'react';
import { useContractForm } from '../lib/forms/use-contract-form.ts';
import type { SchemaLoader } from '../lib/forms/use-contract-form.ts';
import { Button } from './button.tsx';
import { TextareaField } from './field.tsx';
import { Modal } from './modal.tsx';
import { Note } from './note.tsx';

export type ReasonDialogProps = {
  title: string;
  /** Describes the action's effect. */
  children: ReactNode;
  confirmLabel: string;
  cancelLabel: string;
  /** The button's label while the action is in progress. */
  busy: string | false;
  danger?: boolean;
  /** The contract's rule for the reason. The reason is optional if neither this nor `requiredSentence` is given. */
  schema?: SchemaLoader<{ reason: string }>;
  /** The message for a missing reason if the record's state requires one. The contract can't check this. */
  requiredSentence?: string;
  /** Says who will see the reason. */
  hint?: string;
  error: string | null;
  onConfirm: (reason: string) => void;
  onClose: () => void;
};

const noSchema = (): Promise<never> => Promise.reject(new Error('The contract has no rule for this reason'));

export function ReasonForm(props: ReasonDialogProps) {
  const { title, children, confirmLabel, cancelLabel, busy, danger, schema, requiredSentence, hint, error } = props;
  const form = useContractForm({
    schema: schema ?? noSchema,
    initial: { reason: '' },
    body: ({ reason }) => ({ reason: reason.trim() }),
    rules: ({ reason }) => (requiredSentence && reason.trim() === '' ? { reason: requiredSentence } : {}),
    failed: '',
    send: async ({ reason }) => {
      if (!busy) props.onConfirm(reason);
    },
  });
  const isRequired = schema !== undefined || requiredSentence !== undefined;
  return (
    <Modal
      open
      title={title}
      onClose={props.onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={props.onClose}>{cancelLabel}</Button>
          <Button type="submit" tone={danger ? 'danger-solid' : 'primary'} busy={busy}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="md two">{children}</div>
      <TextareaField
        {...form.field('reason')}
        label={
          isRequired ? (
            'Reason'
          ) : (
            <>
              Reason <span className="muted">(optional)</span>
            </>
          )
        }
        hint={hint}
        data-autofocus
        maxLength={2000}
      />
      {error && <Note tone="bad">{error}</Note>}
    </Modal>
  );
}
