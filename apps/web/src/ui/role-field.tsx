import type { OrgRole } from '@stet/domain/access';
import { roleWord } from '../lib/format/org-role.ts';
import { Field, Select } from './field.tsx';

type RoleFieldProps<R extends OrgRole> = {
  roles: readonly R[];
  value: R;
  hint: string;
  onChange: (role: R) => void;
};

/** A select for the role of a person or token. */
export function RoleField<R extends OrgRole>({ roles, value, hint, onChange }: RoleFieldProps<R>) {
  return (
    <Field label="Role" hint={hint}>
      {(control) => (
        <Select
          {...control}
          name="role"
          value={value}
          onChange={({ target }) => onChange(roles.find((each) => each === target.value) ?? value)}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {roleWord(each)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
