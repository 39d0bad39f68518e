import { type OrgRole, type Permission, TOKEN_ROLES, type TokenRole, scopesFor } from '@stet/domain/access';
import { useState } from 'react';
import type { FormEvent } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckGroup, CheckRow } from '../../../ui/check-row.tsx';
import { Field, Select, TextField } from '../../../ui/field.tsx';
import { focusFirstBad } from '../../../ui/focus-first-bad.ts';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { RoleField } from '../../../ui/role-field.tsx';
import { SCOPE_WORDS } from '../model/scope-words.ts';

const EXPIRIES: readonly { value: string; word: string; days: number | null }[] = [
  { value: '7', word: '7 days', days: 7 },
  { value: '30', word: '30 days', days: 30 },
  { value: '90', word: '90 days', days: 90 },
  { value: '365', word: 'A year', days: 365 },
  { value: 'never', word: 'Never', days: null },
];

type TokenForm = { name: string; scopes: Permission[]; expiresInDays: number | null; role: TokenRole };

type TokenDialogProps = {
  /** Whose token it becomes: the person's with this role, or the organization's own, whose role is picked. */
  of: { kind: 'personal'; role: OrgRole } | { kind: 'organization' };
  /** How the last try stands. */
  saving: { isPending: boolean; error: unknown };
  onCreate: (form: TokenForm) => void;
  onClose: () => void;
};

/** Asks what a new token is for. Mount it to open it. */
export function TokenDialog({ of, saving, onCreate, onClose }: TokenDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<TokenRole>('editor');
  const [scopes, setScopes] = useState<readonly Permission[]>(['workflow.read']);
  const [expiry, setExpiry] = useState('90');
  const [tried, setTried] = useState(false);
  const possible = scopesFor(of.kind, of.kind === 'personal' ? of.role : role);
  const chosen = possible.filter((scope) => scopes.includes(scope));
  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() === '') return focusFirstBad(event.currentTarget);
    if (chosen.length === 0 || saving.isPending) return;
    const expiresInDays = EXPIRIES.find(({ value }) => value === expiry)?.days ?? null;
    onCreate({ name: name.trim(), scopes: chosen, expiresInDays, role });
  };
  const tick = (scope: Permission) => (checked: boolean) =>
    setScopes(checked ? [...scopes, scope] : scopes.filter((each) => each !== scope));
  return (
    <Modal
      open
      title={of.kind === 'personal' ? 'New personal token' : 'New organization token'}
      onClose={onClose}
      onSubmit={create}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={saving.isPending && 'Creating…'}>
            Create token
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        data-autofocus
        maxLength={80}
        value={name}
        hint="What will use it, such as Build server"
        error={tried && name.trim() === '' ? 'A token needs a name' : null}
        onChange={setName}
      />
      {of.kind === 'organization' && (
        <RoleField
          roles={TOKEN_ROLES}
          value={role}
          hint="It keeps this role when the person who made it leaves"
          onChange={setRole}
        />
      )}
      <CheckGroup
        label="What it may do"
        error={tried && chosen.length === 0 ? 'A token needs at least one permission' : null}
      >
        {possible.map((scope) => (
          <CheckRow key={scope} checked={chosen.includes(scope)} onChange={tick(scope)}>
            {SCOPE_WORDS[scope]}
          </CheckRow>
        ))}
      </CheckGroup>
      <Field label="Expires after">
        {(control) => (
          <Select {...control} value={expiry} onChange={({ target }) => setExpiry(target.value)}>
            {EXPIRIES.map(({ value, word }) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {expiry === 'never' && <Note tone="warn">It stays good until somebody revokes it.</Note>}
      {saving.error !== null && <Note tone="bad">{errorSentence(saving.error, 'Failed to create the token')}</Note>}
    </Modal>
  );
}
