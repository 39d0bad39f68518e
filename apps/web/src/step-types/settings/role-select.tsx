import { ORG_ROLES } from '@stet/domain/access';
import { Field, Select } from '../../ui/field.tsx';

type RoleSelectProps = { value: string | undefined; hint?: string; onChange: (role: string | undefined) => void };

/** The role whose members may act in addition to the assignee. An unknown role from a file stays visible. */
export function RoleSelect({ value = '', hint, onChange }: RoleSelectProps) {
  const known: readonly string[] = ORG_ROLES;
  const roles = value === '' || known.includes(value) ? known : [...known, value];
  return (
    <Field label="Assigned role" hint={hint}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value || undefined)}>
          <option value="">None</option>
          {roles.map((role) => (
            <option key={role}>{role}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}
