import { useState } from 'react';
import { useCreateOrganizationToken, useOrganizationTokens } from '../../features/api-tokens/api/use-api-tokens.ts';
import { TokenDialog } from '../../features/api-tokens/parts/token-dialog.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { TokensPart } from './tokens-part.tsx';

type Dialog = { open: 'none' } | { open: 'new' } | { open: 'secret'; secret: string };
const NO_DIALOG: Dialog = { open: 'none' };

/** All tokens that reach the organization; for owners and admins. */
export function OrganizationTokens({ organization }: { organization: { id: string } }) {
  const tokens = useOrganizationTokens(organization.id);
  const create = useCreateOrganizationToken(organization.id);
  const [dialog, setDialog] = useState<Dialog>(NO_DIALOG);
  const close = () => setDialog(NO_DIALOG);
  const open = () => {
    create.reset();
    setDialog({ open: 'new' });
  };
  return (
    <>
      <TokensPart
        title="All tokens of this organization"
        about="Its own tokens, which belong to no person and stand in the audit trail under their name, and those of its members. Reviews and approvals stay with people: an organization token gives neither."
        newLabel="New organization token"
        tokens={tokens}
        organizationId={organization.id}
        onNew={open}
      />
      {dialog.open === 'new' && (
        <TokenDialog
          of={{ kind: 'organization' }}
          saving={create}
          onCreate={(form) => create.mutate(form, { onSuccess: ({ secret }) => setDialog({ open: 'secret', secret }) })}
          onClose={close}
        />
      )}
      {dialog.open === 'secret' && (
        <SecretDialog
          title="The new organization token"
          label="Token"
          secret={dialog.secret}
          onCopy={copyText}
          onClose={close}
        />
      )}
    </>
  );
}
