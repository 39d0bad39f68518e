import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Select, TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useChangeSignUp } from '../api/use-installation.ts';

type Kind = 'open' | 'closed' | 'domains' | 'default';
type SignUpDialogProps = {
  current: { kind: Exclude<Kind, 'default'>; domains: readonly string[]; isChanged: boolean };
  onClose: () => void;
};

/** Changes who can sign up. The dialog opens when it is mounted. */
export function SignUpDialog({ current, onClose }: SignUpDialogProps) {
  const change = useChangeSignUp();
  const [kind, setKind] = useState<Kind>(current.kind);
  const [domains, setDomains] = useState(current.domains.join(', '));
  const submit = (): void => {
    if (change.isPending) return;
    const signUp = kind === 'default' ? null : kind === 'domains' ? `domain:${domains}` : kind;
    change.mutate(signUp, { onSuccess: ({ message }) => (onClose(), toast.ok('Saved', message)) });
  };
  return (
    <Modal
      open
      title="Who can sign up?"
      onClose={onClose}
      onSubmit={(event) => (event.preventDefault(), submit())}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={change.isPending && 'Saving…'}>
            Save
          </Button>
        </>
      }
    >
      <Field label="Without an invitation" hint="The change takes effect immediately. Invited people can always join.">
        {(control) => (
          <Select
            {...control}
            data-autofocus
            value={kind}
            onChange={({ target }) => (setKind(target.value as Kind), change.reset())}
          >
            <option value="open">Anyone</option>
            <option value="closed">Nobody</option>
            <option value="domains">Addresses of some domains</option>
            {current.isChanged && <option value="default">As set on the server (SIGN_UP)</option>}
          </Select>
        )}
      </Field>
      {kind === 'domains' && (
        <TextField
          label="Domains"
          hint="Separated by commas, for example example.com, example.org"
          value={domains}
          onChange={(text) => (setDomains(text), change.reset())}
        />
      )}
      {change.error && <Note tone="bad">{errorSentence(change.error, 'An error occurred')}</Note>}
    </Modal>
  );
}
