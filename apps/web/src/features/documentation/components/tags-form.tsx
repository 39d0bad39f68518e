import { TAG_LIMITS } from '@stet/domain/workflows';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { useCan } from '../../../lib/session/signed-in.ts';
import { TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { TagList } from '../../../ui/tag-list.tsx';
import { toast } from '../../../ui/toast.ts';
import { tagsSchema, useSaveTags } from '../api/use-save-tags.ts';

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The tags of a workflow. Only owners and admins can change them. */
export function TagsForm({ workflowKey, tags }: { workflowKey: string; tags: readonly string[] }) {
  const canChange = useCan('org.manage');
  const save = useSaveTags(workflowKey);
  const form = useContractForm({
    schema: tagsSchema,
    initial: { tags: tags.join(', ') },
    body: (values) => ({ tags: tagsIn(values.tags) }),
    failed: 'Failed to save the tags',
    send: async (body) => {
      await save.mutateAsync(body);
      form.reset();
      toast.ok('Tags saved');
    },
  });
  if (!canChange) {
    return tags.length > 0 ? <TagList tags={tags} /> : <Note>No tags. Owners and admins can add some.</Note>;
  }
  const isUnchanged = tagsIn(form.values.tags).join(', ') === tags.join(', ');
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate>
      <TextField
        {...form.field('tags')}
        label="Tags"
        hint={`At most ${TAG_LIMITS.tags}, separated by commas, for example: payments, eu`}
      />
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      <SaveButton label="Save tags" isPending={form.isSending} isUnchanged={isUnchanged} />
    </form>
  );
}
