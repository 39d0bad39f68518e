import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { useUser } from '../../../lib/session/signed-in.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { toast } from '../../../ui/toast.ts';
import { useRename } from '../api/use-profile.ts';

/** One's name; the address can't be changed. */
export function NameForm() {
  const user = useUser();
  const [name, setName] = useState(user.name);
  const [tried, setTried] = useState(false);
  const rename = useRename();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '') return focusFirstBad(event.currentTarget);
    if (rename.isPending) return;
    rename.mutate(name.trim(), {
      onSuccess: (renamed) => {
        setName(renamed.name);
        toast.ok('Name saved', renamed.name);
      },
    });
  };
  return (
    <form className="sheet settings-form" onSubmit={send} noValidate>
      <TextField
        label="Full Name"
        name="name"
        autoComplete="name"
        maxLength={120}
        value={name}
        error={tried && name.trim() === '' ? 'Full name is required' : null}
        onChange={setName}
      />
      <TextField
        label="Email"
        name="email"
        readOnly
        value={user.email}
        hint="You log in with it. It cannot be changed."
        onChange={() => undefined}
      />
      {rename.isError && <Note tone="bad">{errorSentence(rename.error, 'Failed to save the name')}</Note>}
      <div className="acts">
        <Button
          type="submit"
          busy={rename.isPending && 'Saving…'}
          disabledReason={name.trim() === user.name ? 'This is the name already.' : undefined}
        >
          Save name
        </Button>
      </div>
    </form>
  );
}
