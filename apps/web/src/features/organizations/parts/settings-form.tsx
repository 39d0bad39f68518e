import type { OrganizationSettings } from '@stet/contract';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { CheckRow } from '../../../ui/check-row.tsx';
import { TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Note } from '../../../ui/note.tsx';
import { SaveButton } from '../../../ui/save-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { useSaveOrganizationSettings } from '../api/use-organization-settings.ts';

const APPROVALS_LIMIT = 20;

/** The number in the field; null where it isn't one that may be saved. */
function readApprovals(text: string): number | null {
  const count = Number(text);
  return /^\d+$/.test(text.trim()) && count <= APPROVALS_LIMIT ? count : null;
}

type SettingsFormProps = { settings: OrganizationSettings; canManage: boolean };

/** Name and policies of an organization; to read only for those who don't manage it. */
export function SettingsForm({ settings, canManage }: SettingsFormProps) {
  // What was typed; null stands for what is saved, which another person may change meanwhile.
  const [typedName, setName] = useState<string | null>(null);
  const [typedApprovals, setApprovals] = useState<string | null>(null);
  const [pickedStrict, setStrict] = useState<boolean | null>(null);
  const name = typedName ?? settings.name;
  const approvals = typedApprovals ?? String(settings.requiredApprovals);
  const strict = pickedStrict ?? settings.strict;
  const [tried, setTried] = useState(false);
  const save = useSaveOrganizationSettings(settings.id);
  const isTeam = settings.type === 'team';
  const count = readApprovals(approvals);
  const change = {
    ...(name.trim() !== settings.name && { name: name.trim() }),
    ...(isTeam && count !== null && count !== settings.requiredApprovals && { requiredApprovals: count }),
    ...(isTeam && strict !== settings.strict && { strict }),
  };
  const isUnchanged = count !== null && Object.keys(change).length === 0;

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '' || count === null) return focusFirstBad(event.currentTarget);
    if (save.isPending || isUnchanged) return;
    save.mutate(change, {
      onSuccess: (saved) => {
        setName(null);
        setApprovals(null);
        setStrict(null);
        const isProposed = 'requiredApprovals' in change && saved.requiredApprovals !== change.requiredApprovals;
        if (isProposed) toast.ok('Proposed', 'Another owner or admin has to confirm fewer required approvals.');
        else if ('strict' in change && saved.strict !== change.strict)
          toast.ok('Proposed', 'Another owner or admin has to confirm that reviews are no longer strict.');
        else toast.ok('Organization saved', saved.name);
      },
    });
  };
  return (
    <form className="sheet settings-form" onSubmit={send} noValidate>
      <TextField
        label="Organization Name"
        name="organizationName"
        autoComplete="off"
        maxLength={120}
        readOnly={!canManage}
        value={name}
        error={tried && name.trim() === '' ? 'Organization name is required' : null}
        onChange={setName}
      />
      {settings.slug !== null && (
        <TextField
          label="Organization URL prefix"
          name="organizationSlug"
          readOnly
          value={settings.slug}
          hint="Chosen when the organization was created. It cannot be changed."
          onChange={() => undefined}
        />
      )}
      {isTeam && (
        <TextField
          label="Required approvals"
          name="requiredApprovals"
          inputMode="numeric"
          readOnly={!canManage}
          value={approvals}
          error={tried && count === null ? `A whole number from 0 to ${APPROVALS_LIMIT}` : null}
          hint="So many people have to approve a draft before it can go live. Nobody approves a draft that they worked on themselves. Fewer than now need the word of a second owner or admin, where there is one."
          onChange={setApprovals}
        />
      )}
      {isTeam && (
        <CheckRow
          checked={strict}
          disabled={!canManage}
          about="Approvals with a mark, such as “reviewer added by the author”, approvals of one’s own work and reviews by API token never count. It needs two proved owners or admins, one more reviewer, and at least one required approval. Switching it off needs a second owner or admin."
          onChange={setStrict}
        >
          Strict reviews
        </CheckRow>
      )}
      {save.isError && <Note tone="bad">{errorSentence(save.error, 'Failed to save the organization')}</Note>}
      {canManage && <SaveButton isPending={save.isPending} isUnchanged={isUnchanged} />}
    </form>
  );
}
