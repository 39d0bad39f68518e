import { isolated } from '@stet/domain/workflows';
import type { VersionRecord } from '@stet/contract';
import { formatDate } from '../../../lib/format/time.ts';
import { statusWord } from '../../../ui/badge.tsx';
import { Field, Select } from '../../../ui/field.tsx';

type VersionPickerProps = {
  label: string;
  versions: readonly VersionRecord[];
  value: string;
  onPick: (id: string) => void;
};

export function VersionPicker({ label, versions, value, onPick }: VersionPickerProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onPick(event.target.value)}>
          {versions.map((version) => (
            <option key={version.id} value={version.id}>
              {wordsOf(version)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** For example 'v3, Live, 18 Nov 2026', or 'In Review by Priya Nair, saved 18 Nov 2026' for a draft. */
function wordsOf({ version, label, status, createdAt, updatedAt, createdBy }: VersionRecord): string {
  return version === null
    ? `${statusWord(status)} by ${isolated(createdBy.name)}, saved ${formatDate(updatedAt)}`
    : `${label}, ${statusWord(status)}, ${formatDate(createdAt)}`;
}
