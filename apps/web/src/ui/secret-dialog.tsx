import { useState } from 'react';
import { Button } from './button.tsx';
import { Field, Input } from './field.tsx';
import { Modal } from './modal.tsx';
import { Note } from './note.tsx';

type SecretDialogProps = {
  title: string;
  label: string;
  secret: string;
  /** Copies text to the clipboard and returns false if the browser refuses. */
  onCopy: (text: string) => Promise<boolean>;
  onClose: () => void;
};

/** Shows a secret once. The dialog opens when it is mounted. */
export function SecretDialog({ title, label, secret, onCopy, onClose }: SecretDialogProps) {
  const [copied, setCopied] = useState<boolean | null>(null);
  return (
    <Modal
      open
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <Button tone="primary" data-autofocus onClick={() => void onCopy(secret).then(setCopied)}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        </>
      }
    >
      <Note tone="warn">Copy it now: it won’t be shown again. Store it in a secret manager.</Note>
      <Field
        label={label}
        hint={copied === false ? 'The browser blocked copying. Select the text and copy it yourself.' : undefined}
      >
        {(control) => (
          <Input {...control} className="mono" readOnly value={secret} onFocus={({ target }) => target.select()} />
        )}
      </Field>
      <span className="vh" role="status">
        {copied ? 'Copied' : ''}
      </span>
    </Modal>
  );
}
