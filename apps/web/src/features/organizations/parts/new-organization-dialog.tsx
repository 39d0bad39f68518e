import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { prefixText, typePrefix } from '../../../lib/url-prefix.ts';
import type { UrlPrefix } from '../../../lib/url-prefix.ts';
import { usePrefixAvailability } from '../../../lib/use-prefix-availability.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { UrlPrefixField } from '../../../ui/url-prefix-field.tsx';
import { useCreateOrganization } from '../api/use-create-organization.ts';

/** Makes a team of which one is the owner, and goes there. Mount it to open it. */
export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [prefix, setPrefix] = useState<UrlPrefix>({ from: 'derived' });
  const [tried, setTried] = useState(false);
  const create = useCreateOrganization();
  const slug = prefixText(prefix, name);
  const availability = usePrefixAvailability(slug);
  const isComplete = name.trim() !== '' && slug !== '';
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!isComplete) focusFirstBad(event.currentTarget);
    else if (!create.isPending) create.mutate({ name: name.trim(), slug }, { onSuccess: onClose });
  };
  return (
    <Modal
      open
      title="New organization"
      onClose={onClose}
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={create.isPending && 'Creating…'}>
            Create organization
          </Button>
        </>
      }
    >
      <TextField
        label="Organization Name"
        name="organizationName"
        autoComplete="organization"
        data-autofocus
        maxLength={120}
        value={name}
        error={tried && name.trim() === '' ? 'Organization name is required' : null}
        onChange={setName}
      />
      <UrlPrefixField
        value={slug}
        availability={availability}
        invalid={tried && slug === ''}
        onChange={(text) => setPrefix(typePrefix(text))}
      />
      {tried && name.trim() !== '' && slug === '' && <Note tone="bad">Type a URL prefix: the name gives none.</Note>}
      {create.isError && <Note tone="bad">{errorSentence(create.error, 'Failed to create the organization')}</Note>}
    </Modal>
  );
}
