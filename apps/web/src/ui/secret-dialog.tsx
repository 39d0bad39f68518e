import { useState } from 'react';
import { Button } from './button.tsx';
import { Field, Input } from './field.tsx';
import { Modal } from './modal.tsx';
import { Note } from './note.tsx';

type SecretDialogProps = {
  title: string;
  label: string;
  secret: string;
  /** Copies text to the clipboard; false if the browser refuses. */
  onCopy: (text: string) => Promise<boolean>;
  onClose: () => void;
};

/** Shows a secret once. Mount it to open it. */
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
      <Note tone="warn">It is shown this one time only. Keep it where secrets are kept.</Note>
      <Field
        label={label}
        hint={copied === false ? 'The browser did not let it be copied. Select it and copy it from here.' : undefined}
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
