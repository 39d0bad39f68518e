import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';

/** Shows a link to copy by hand if the browser blocks the clipboard. The dialog opens when it is mounted. */
export function LinkDialog({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  return (
    <Modal open title="Invitation link" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <Field
        label={`Link for ${email}`}
        hint="The browser blocked copying. The link is selected, so you can copy it yourself."
      >
        {(control) => (
          <Input {...control} data-autofocus readOnly value={link} onFocus={({ target }) => target.select()} />
        )}
      </Field>
    </Modal>
  );
}
