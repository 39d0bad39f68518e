import { useState } from 'react';
import { useCreateOrganizationToken, useOrganizationTokens } from '../../features/api-tokens/api/use-api-tokens.ts';
import { copyText } from '../../lib/copy-text.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { TokensPart } from './tokens-part.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const TokenDialog = lazyDialog(
  async () => (await import('../../features/api-tokens/components/token-dialog.tsx')).TokenDialog,
);
type Dialog = { open: 'none' } | { open: 'new' } | { open: 'secret'; secret: string };
const NO_DIALOG: Dialog = { open: 'none' };

/** All tokens with access to the organization, for owners and admins. */
export function OrganizationTokens({ organization }: { organization: { id: string } }) {
  const tokens = useOrganizationTokens(organization.id);
  const create = useCreateOrganizationToken(organization.id);
  const [dialog, setDialog] = useState<Dialog>(NO_DIALOG);
  const close = () => setDialog(NO_DIALOG);
  const showSecret = ({ secret }: { secret: string }) => setDialog({ open: 'secret', secret });
  return (
    <>
      <TokensPart
        title="All tokens for this organization"
        about="Organization tokens appear in the audit trail under their own names. They can’t review or approve. Members’ tokens are also listed here."
        newLabel="New organization token"
        tokens={tokens}
        organizationId={organization.id}
        onNew={() => setDialog({ open: 'new' })}
      />
      {dialog.open === 'new' && (
        <TokenDialog
          of={{
            kind: 'organization',
            onCreate: async (body) => showSecret(await create.mutateAsync(body)),
          }}
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
