import { useRef, useState } from 'react';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useProveAddress, useSendCode } from '../api/use-prove-address.ts';

/** Sends a code to the address of the account and takes it back. Mount it to open it. */
export function ProveAddressDialog({ onClose }: { onClose: () => void }) {
  const { email } = useUser();
  const send = useSendCode();
  const prove = useProveAddress();
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const isMissing = tried && code.trim() === '';
  const refusal = prove.error instanceof ApiError && prove.error.status < 500 ? prove.error : null;

  const sendCode = () => {
    if (send.isPending) return;
    prove.reset();
    send.mutate(undefined, { onSuccess: () => form.current?.querySelector('input')?.focus() });
  };
  return (
    <Modal
      open
      title="Prove your address"
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (code.trim() === '') return focusFirstBad(event.currentTarget);
        if (prove.isPending) return;
        // The note that this dialog was opened from goes with the proof, so nothing here may wait to be called back.
        void prove.mutateAsync(code.trim()).then(
          () => {
            toast.ok('Address proved', email);
            onClose();
          },
          () => undefined,
        );
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={prove.isPending && 'Proving…'}>
            Prove address
          </Button>
        </>
      }
    >
      <div className="stack" ref={form}>
        <p className="md two">
          We send a code to <b className="med">{email}</b>. Entering it here shows that you read what is sent there.
        </p>
        <div>
          <Button data-autofocus busy={send.isPending && 'Sending…'} onClick={sendCode}>
            {send.isSuccess ? 'Send another code' : 'Send code'}
          </Button>
        </div>
        {send.isSuccess && <Note tone="ok">{send.data.message}</Note>}
        {send.isError && (
          <Note tone="bad">{errorSentence(send.error, 'The code was not sent. Please try again.')}</Note>
        )}
        <TextField
          label="Code"
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          value={code}
          error={isMissing ? 'Enter the code from the mail' : refusal?.message}
          onChange={(typed) => {
            setCode(typed);
            if (prove.isError) prove.reset();
          }}
        />
        {prove.isError && refusal === null && (
          <Note tone="bad">{errorSentence(prove.error, 'The code was not checked. Please try again.')}</Note>
        )}
        <p className="xs muted">
          No mail? If this server sends none, ask whoever runs it for the code: mails are saved as files there. An owner
          or admin other than the one who invited you can also confirm you.
        </p>
      </div>
    </Modal>
  );
}
