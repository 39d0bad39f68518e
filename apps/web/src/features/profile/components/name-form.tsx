import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { renameSchema, useRename } from '../api/use-profile.ts';

/** The user's name. The email address can't be changed here. */
export function NameForm() {
  const user = useUser();
  const rename = useRename();
  const form = useContractForm({
    schema: renameSchema,
    initial: { name: user.name },
    body: ({ name }) => ({ name: name.trim() }),
    failed: 'Failed to save the name',
    send: async (body) => {
      const renamed = await rename.mutateAsync(body);
      form.reset();
      toast.ok('Name saved', renamed.name);
    },
  });
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate>
      <TextField {...form.field('name')} label="Full Name" autoComplete="name" maxLength={120} />
      <TextField
        label="Email"
        name="email"
        readOnly
        value={user.email}
        hint="Used to log in. Only an administrator of this server can change it."
        onChange={() => undefined}
      />
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      <div className="actions">
        <Button
          type="submit"
          busy={form.isSending && 'Saving…'}
          disabledReason={form.values.name.trim() === user.name ? 'There are no changes to save' : undefined}
        >
          Save name
        </Button>
      </div>
    </form>
  );
}
