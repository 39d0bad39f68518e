import { useRef } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { codeSchema, useProveAddress, useSendCode } from '../api/use-prove-address.ts';

/** Emails a code to the account's address and checks it. The dialog opens when it is mounted. */
export function ProveAddressDialog({ onClose }: { onClose: () => void }) {
  const { email } = useUser();
  const send = useSendCode();
  const prove = useProveAddress();
  const place = useRef<HTMLDivElement>(null);
  const form = useContractForm({
    schema: codeSchema,
    initial: { code: '' },
    body: ({ code }) => ({ code: code.trim() }),
    places: { wrong_code: 'code', code_expired: 'code' },
    failed: 'The code could not be checked. Please try again.',
    // Proving the address unmounts the note that opened this dialog. The callbacks of `mutate` wouldn't run then, so
    // this awaits the mutation instead.
    send: async ({ code }) => {
      await prove.mutateAsync(code);
      toast.ok('Address proved', email);
      onClose();
    },
  });

  const sendCode = () => {
    if (send.isPending) return;
    form.reset();
    send.mutate(undefined, { onSuccess: () => place.current?.querySelector('input')?.focus() });
  };
  return (
    <Modal
      open
      title="Prove your address"
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Proving…'}>
            Prove address
          </Button>
        </>
      }
    >
      <div className="stack" ref={place}>
        <p className="md two">
          We’ll send a code to <b className="med">{email}</b>. Enter it here to prove that you can read email sent to
          this address.
        </p>
        <div>
          <Button data-autofocus busy={send.isPending && 'Sending…'} onClick={sendCode}>
            {send.isSuccess ? 'Send another code' : 'Send code'}
          </Button>
        </div>
        {send.isSuccess && <Note tone="ok">{send.data.message}</Note>}
        {send.isError && (
          <Note tone="bad">{errorSentence(send.error, 'The code could not be sent. Please try again.')}</Note>
        )}
        <TextField
          {...form.field('code')}
          label="Code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
        {form.problem && <Note tone="bad">{form.problem}</Note>}
        {!send.isSuccess && (
          <p className="xs muted">An owner or admin who didn’t invite you can also confirm you without a code.</p>
        )}
      </div>
    </Modal>
  );
}
