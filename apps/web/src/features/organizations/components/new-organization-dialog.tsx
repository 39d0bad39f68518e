import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { prefixText, typePrefix } from '../../../lib/url-prefix.ts';
import type { UrlPrefix } from '../../../lib/url-prefix.ts';
import { usePrefixAvailability } from '../../../lib/use-prefix-availability.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { UrlPrefixField } from '../../../ui/url-prefix-field.tsx';
import { organizationSchema, useCreateOrganization } from '../api/use-create-organization.ts';

type Values = { name: string; slug: UrlPrefix };
const EMPTY: Values = { name: '', slug: { from: 'derived' } };
const slugOf = ({ name, slug }: Values): string => prefixText(slug, name);

/** Creates a team that the user owns and opens it. The dialog opens when it is mounted. */
export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const create = useCreateOrganization();
  const form = useContractForm({
    schema: organizationSchema,
    initial: EMPTY,
    body: (values) => ({ name: values.name.trim(), slug: slugOf(values) }),
    rules: (values) =>
      slugOf(values) === '' ? { slug: 'Choose a URL prefix: we couldn’t derive one from the name.' } : {},
    places: { slug_taken: 'slug' },
    failed: 'Failed to create the organization',
    send: async (body) => {
      await create.mutateAsync(body);
      onClose();
    },
  });
  const slug = slugOf(form.values);
  const availability = usePrefixAvailability(slug);
  return (
    <Modal
      open
      title="New organization"
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Creating…'}>
            Create organization
          </Button>
        </>
      }
    >
      <TextField
        {...form.field('name')}
        label="Organization Name"
        name="organizationName"
        autoComplete="organization"
        data-autofocus
        maxLength={120}
      />
      <UrlPrefixField
        {...form.field('slug')}
        name="organizationSlug"
        value={slug}
        availability={availability}
        onChange={(text) => form.change({ slug: typePrefix(text) })}
      />
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
