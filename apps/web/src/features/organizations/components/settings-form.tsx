import type { OrganizationSettings } from '@stet/contract';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { CheckRow } from '../../../ui/check-row.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { settingsSchema, useSaveOrganizationSettings } from '../api/use-organization-settings.ts';

type SettingsFormProps = {
  settings: OrganizationSettings;
  canManage: boolean;
  /** The number of other members who can approve; null until it is loaded. */
  otherReviewers: number | null;
};

/** `Number('')` is 0, so an empty field becomes NaN instead. The contract refuses NaN. */
const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** An organization's name and, for a team, its review policy and minimum password length. */
export function SettingsForm({ settings, canManage, otherReviewers }: SettingsFormProps) {
  const save = useSaveOrganizationSettings(settings.id);
  const isTeam = settings.type === 'team';
  const form = useContractForm({
    schema: settingsSchema,
    initial: {
      name: settings.name,
      requiredApprovals: String(settings.requiredApprovals),
      strict: settings.strict,
      resolvedComments: settings.resolvedComments,
      passwordMinimum: String(settings.passwordMinimum),
    },
    body: ({ name, strict, resolvedComments, ...typed }) => {
      const requiredApprovals = numberIn(typed.requiredApprovals);
      const passwordMinimum = numberIn(typed.passwordMinimum);
      return {
        ...(name.trim() !== settings.name && { name: name.trim() }),
        ...(isTeam && requiredApprovals !== settings.requiredApprovals && { requiredApprovals }),
        ...(isTeam && strict !== settings.strict && { strict }),
        ...(isTeam && resolvedComments !== settings.resolvedComments && { resolvedComments }),
        ...(isTeam && passwordMinimum !== settings.passwordMinimum && { passwordMinimum }),
      };
    },
    failed: 'Failed to save the organization',
    send: async (change) => {
      const saved = await save.mutateAsync(change);
      form.reset();
      const isProposed = 'requiredApprovals' in change && saved.requiredApprovals !== change.requiredApprovals;
      if (isProposed) toast.ok('Proposed', 'Another owner or admin must confirm the lower number of approvals.');
      else if ('strict' in change && saved.strict !== change.strict)
        toast.ok('Proposed', 'Another owner or admin must confirm turning off strict reviews.');
      else if ('passwordMinimum' in change && saved.passwordMinimum !== change.passwordMinimum)
        toast.ok('Proposed', 'Another owner or admin must confirm the shorter minimum length.');
      else toast.ok('Organization saved', saved.name);
    },
  });
  const { field } = form;
  return (
    <form className="sheet settings-form" onSubmit={form.submit} noValidate>
      <TextField
        {...field('name')}
        label="Organization Name"
        name="organizationName"
        autoComplete="off"
        maxLength={120}
        readOnly={!canManage}
      />
      {settings.slug !== null && (
        <TextField
          label="Organization URL prefix"
          name="organizationSlug"
          readOnly
          value={settings.slug}
          hint="Chosen when the organization was created. It can’t be changed."
          onChange={() => undefined}
        />
      )}
      {isTeam && (
        <TextField
          {...field('requiredApprovals')}
          label="Required approvals"
          inputMode="numeric"
          readOnly={!canManage}
          hint="How many people must approve a draft before it can go live. People can’t approve a draft they worked on. Lowering the number requires a second owner or admin."
        />
      )}
      {isTeam && canManage && otherReviewers !== null && otherReviewers < numberIn(form.values.requiredApprovals) && (
        <Note tone="warn">
          {otherReviewers === 0
            ? 'No other member can approve your drafts yet.'
            : `Only ${otherReviewers} of ${form.values.requiredApprovals.trim()} reviewers needed for your drafts ${otherReviewers === 1 ? 'has' : 'have'} joined.`}{' '}
          <Link to={paths.invitingReviewers}>Invite reviewers</Link>
        </Note>
      )}
      {isTeam && (
        <CheckRow
          checked={form.values.strict}
          disabled={!canManage}
          about="Self-approvals, reviews by API token, and approvals with a mark (such as “reviewer added by the author”) never count. This requires two proved owners or admins, one more reviewer, and at least one required approval. Turning it off requires a second owner or admin."
          onChange={(strict) => form.change({ strict })}
        >
          Strict reviews
        </CheckRow>
      )}
      {isTeam && (
        <CheckRow
          checked={form.values.resolvedComments}
          disabled={!canManage}
          about="A draft with unresolved comments can’t be merged. Anyone who can comment can resolve them."
          onChange={(resolvedComments) => form.change({ resolvedComments })}
        >
          Comments must be resolved before a merge
        </CheckRow>
      )}
      {isTeam && (
        <TextField
          {...field('passwordMinimum')}
          label="Minimum password length"
          inputMode="numeric"
          readOnly={!canManage}
          hint="In characters, for passwords that members set from now on. Existing passwords stay valid. Lowering the number requires a second owner or admin."
        />
      )}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
      {canManage && <SaveButton isPending={form.isSending} isUnchanged={!form.isDirty} />}
    </form>
  );
}
