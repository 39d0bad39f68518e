import type { OrgRole } from '@stet/domain/access';
import { useState } from 'react';
import { useCreateMyToken, useMyTokens } from '../../features/api-tokens/api/use-api-tokens.ts';
import { copyText } from '../../lib/copy-text.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { TokensPart } from './tokens-part.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const TokenDialog = lazyDialog(
  async () => (await import('../../features/api-tokens/components/token-dialog.tsx')).TokenDialog,
);
type Dialog = { open: 'none' } | { open: 'new' } | { open: 'secret'; secret: string };
const NO_DIALOG: Dialog = { open: 'none' };

/** The user's own tokens. */
export function MyTokens({ role }: { role: OrgRole }) {
  const tokens = useMyTokens();
  const create = useCreateMyToken();
  const [dialog, setDialog] = useState<Dialog>(NO_DIALOG);
  const close = () => setDialog(NO_DIALOG);
  const showSecret = ({ secret }: { secret: string }) => setDialog({ open: 'secret', secret });
  return (
    <>
      <TokensPart
        title="Your tokens"
        about="Tokens act on your behalf with the permissions you choose, but never with more than you have. They can’t manage members, policies, tokens or webhooks."
        newLabel="New token"
        tokens={tokens}
        organizationId={null}
        onNew={() => setDialog({ open: 'new' })}
      />
      {dialog.open === 'new' && (
        <TokenDialog
          of={{
            kind: 'personal',
            role,
            onCreate: async (body) => showSecret(await create.mutateAsync(body)),
          }}
          onClose={close}
        />
      )}
      {dialog.open === 'secret' && (
        <SecretDialog title="Your new token" label="Token" secret={dialog.secret} onCopy={copyText} onClose={close} />
      )}
    </>
  );
}
