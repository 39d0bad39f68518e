import { GROUP_LIMITS, groupAssignee, groupSlug } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import type { Group, Member } from '@stet/contract';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { MemberPicker } from '../../../ui/member-picker.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { type GroupForm, groupSchema } from '../api/use-change-groups.ts';

type GroupDialogProps = {
  /** The group to change, or null for a new one. */
  group: Group | null;
  members: readonly Member[];
  onSave: (form: GroupForm) => Promise<unknown>;
  onClose: () => void;
};

/** The dialog for a group's name, slug and members. The slug is fixed once the group exists. */
export function GroupDialog({ group, members, onSave, onClose }: GroupDialogProps) {
  const slugOf = ({ name, slug }: { name: string; slug: string | null }) => group?.slug ?? slug ?? groupSlug(name);
  const form = useContractForm({
    schema: groupSchema,
    initial: { name: group?.name ?? '', slug: null as string | null, members: group?.members ?? [] },
    body: (values) => ({ name: values.name.trim(), slug: slugOf(values), members: values.members }),
    rules: (values) =>
      values.name.trim() !== '' && slugOf(values) === ''
        ? { slug: 'Choose a slug: we couldn’t derive one from the name.' }
        : {},
    places: { group_slug_taken: 'slug' },
    failed: 'Failed to save the group',
    send: onSave,
  });
  const slug = slugOf(form.values);
  return (
    <Modal
      open
      title={group ? `Change ${isolated(group.name)}` : 'New group'}
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Saving…'}>
            {group ? 'Save' : 'Create group'}
          </Button>
        </>
      }
    >
      <TextField
        {...form.field('name')}
        label="Name"
        autoComplete="off"
        data-autofocus
        maxLength={GROUP_LIMITS.name}
        placeholder="For example: Finance"
        hint={group && `Workflows still name it ${groupAssignee(group.slug)}.`}
      />
      {group === null && (
        <TextField
          {...form.field('slug')}
          value={slug}
          label="Slug"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={GROUP_LIMITS.slug}
          hint={`Workflows name the group ${groupAssignee(slug || '…')}. The slug never changes.`}
        />
      )}
      <MemberPicker {...form.field('members')} label="Members" people={members} />
      {group?.members.some((id) => !form.values.members.includes(id)) && (
        <p className="xs muted">
          If a workflow, a rule about reviews or an open run names this group, another owner or admin has to confirm the
          removal of members.
        </p>
      )}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
