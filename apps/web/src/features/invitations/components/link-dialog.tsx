import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';

/** The link to copy by hand, if the browser doesn't allow clipboard access. Mount it to open it. */
export function LinkDialog({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  return (
    <Modal open title="Invitation link" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <Field
        label={`Link for ${email}`}
        hint="The browser did not let it be copied. It is selected: copy it from here."
      >
        {(control) => (
          <Input {...control} data-autofocus readOnly value={link} onFocus={({ target }) => target.select()} />
        )}
      </Field>
    </Modal>
  );
}
