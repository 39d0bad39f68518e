import {
  type OrgRole,
  PERSONAL_TOKEN_DAYS,
  type Permission,
  TOKEN_ROLES,
  type TokenRole,
  scopesFor,
} from '@stet/domain/access';
import { useContractForm } from '../../../lib/forms/use-contract-form.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckGroup, CheckRow } from '../../../ui/check-row.tsx';
import { Field, Select, TextField } from '../../../ui/field.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { Note } from '../../../ui/note.tsx';
import { RoleField } from '../../../ui/role-field.tsx';
import { TOKEN_SCHEMAS } from '../api/use-api-tokens.ts';
import type { OrganizationTokenForm, PersonalTokenForm } from '../api/use-api-tokens.ts';
import { SCOPE_WORDS } from '../model/scope-words.ts';

const EXPIRIES: readonly { value: string; word: string; days: number }[] = [
  { value: '7', word: '7 days', days: 7 },
  { value: '30', word: '30 days', days: 30 },
  { value: '90', word: '90 days', days: 90 },
  { value: '365', word: 'A year', days: 365 },
];
/** Only an organization's token can be created without an expiry date. */
const NEVER = { value: 'never', word: 'Never', days: null };

type TokenDialogProps = {
  /**
   * The new token's owner. A personal token has its owner's role. For an organization token, the person chooses the
   * role.
   */
  of:
    | { kind: 'personal'; role: OrgRole; onCreate: (body: PersonalTokenForm) => Promise<void> }
    | { kind: 'organization'; onCreate: (body: OrganizationTokenForm) => Promise<void> };
  onClose: () => void;
};

type Values = { name: string; role: TokenRole; scopes: readonly Permission[]; expiry: string };
const EMPTY: Values = {
  name: '',
  role: 'editor',
  scopes: ['workflow.read'],
  expiry: String(PERSONAL_TOKEN_DAYS.offered),
};

/** A dialog that creates a token. It opens when it is mounted. */
export function TokenDialog({ of, onClose }: TokenDialogProps) {
  const expiries = of.kind === 'personal' ? EXPIRIES : [...EXPIRIES, NEVER];
  const scopesOf = ({ role }: Values) => scopesFor(of.kind, of.kind === 'personal' ? of.role : role);
  const partsOf = (values: Values) => ({
    name: values.name.trim(),
    scopes: scopesOf(values).filter((scope) => values.scopes.includes(scope)),
    days: expiries.find(({ value }) => value === values.expiry)?.days ?? null,
  });
  const personalBody = (values: Values): PersonalTokenForm => {
    const { days, ...rest } = partsOf(values);
    return { ...rest, expiresInDays: days ?? PERSONAL_TOKEN_DAYS.most };
  };
  const organizationBody = (values: Values): OrganizationTokenForm => {
    const { days, ...rest } = partsOf(values);
    return { ...rest, role: values.role, expiresInDays: days };
  };
  const form = useContractForm<Values, PersonalTokenForm | OrganizationTokenForm>({
    schema: TOKEN_SCHEMAS[of.kind],
    initial: EMPTY,
    body: of.kind === 'personal' ? personalBody : organizationBody,
    places: { expiresInDays: 'expiry' },
    failed: 'Failed to create the token',
    send: (_, values) =>
      of.kind === 'personal' ? of.onCreate(personalBody(values)) : of.onCreate(organizationBody(values)),
  });
  const { role, scopes, expiry } = form.values;
  const possible = scopesOf(form.values);
  const tick = (scope: Permission) => (checked: boolean) =>
    form.change({ scopes: checked ? [...scopes, scope] : scopes.filter((each) => each !== scope) });
  return (
    <Modal
      open
      title={of.kind === 'personal' ? 'New personal token' : 'New organization token'}
      onClose={onClose}
      onSubmit={form.submit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" busy={form.isSending && 'Creating…'}>
            Create token
          </Button>
        </>
      }
    >
      <TextField
        {...form.field('name')}
        label="Name"
        autoComplete="off"
        data-autofocus
        maxLength={80}
        hint="For example: Build server"
      />
      {of.kind === 'organization' && (
        <RoleField
          roles={TOKEN_ROLES}
          value={role}
          hint="The token keeps this role if another owner or admin takes it over"
          onChange={(picked) => form.change({ role: picked })}
        />
      )}
      <CheckGroup label="Permissions" error={form.field('scopes').error}>
        {possible.map((scope) => (
          <CheckRow key={scope} checked={scopes.includes(scope)} onChange={tick(scope)}>
            {SCOPE_WORDS[scope]}
          </CheckRow>
        ))}
      </CheckGroup>
      <Field label="Expires after" error={form.field('expiry').error}>
        {(control) => (
          <Select {...control} value={expiry} onChange={({ target }) => form.change({ expiry: target.value })}>
            {expiries.map(({ value, word }) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {expiry === 'never' && <Note tone="warn">The token stays valid until someone revokes it.</Note>}
      {form.problem && <Note tone="bad">{form.problem}</Note>}
    </Modal>
  );
}
