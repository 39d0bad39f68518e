import type { User } from '@stet/contract';
import type { AccountType } from '../model/signup-fields.ts';
import { ChoiceInput } from '../../../ui/check-row.tsx';
import { FieldGroup } from '../../../ui/field.tsx';
import styles from './choice-cards.module.css';

const KINDS: readonly { value: AccountType; name: string; about: string }[] = [
  { value: 'personal', name: 'Personal', about: 'Full access • Auto-approval' },
  { value: 'organization', name: 'Organization', about: 'Team collaboration' },
];

/** The choice between a personal and an organization account, as two cards. */
export function AccountTypeChoice({ value, onChange }: { value: AccountType; onChange: (value: AccountType) => void }) {
  return (
    <fieldset>
      <legend className="vh">Account type</legend>
      <div className={styles.kinds}>
        {KINDS.map((kind) => (
          <label key={kind.value} className={styles.kind}>
            <ChoiceInput
              kind="radio"
              name="accountType"
              value={kind.value}
              checked={kind.value === value}
              onChange={() => onChange(kind.value)}
            />
            <b>{kind.name}</b>
            <small>{kind.about}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const ROLES: readonly { value: User['role']; name: string; about: string }[] = [
  { value: 'editor', name: 'Editor', about: 'Create and edit' },
  { value: 'reviewer', name: 'Reviewer', about: 'Review and approve' },
  { value: 'viewer', name: 'Viewer', about: 'See workflows and runs' },
];

/** The choice between the global roles when signing up with an organization. */
export function RoleChoice({ value, onChange }: { value: User['role']; onChange: (value: User['role']) => void }) {
  return (
    <FieldGroup label="Your Role" role="radiogroup">
      <div className={styles.roles}>
        {ROLES.map((role) => (
          <label key={role.value}>
            <ChoiceInput
              kind="radio"
              name="role"
              value={role.value}
              checked={role.value === value}
              onChange={() => onChange(role.value)}
            />
            <b>{role.name}</b>
            <small>{role.about}</small>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
