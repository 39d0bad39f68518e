import type { OrgRole } from '@stet/domain/access';
import { useState } from 'react';
import { useCreateMyToken, useMyTokens } from '../../features/api-tokens/api/use-api-tokens.ts';
import { TokenDialog } from '../../features/api-tokens/parts/token-dialog.tsx';
import { copyText } from '../../lib/copy-text.ts';
import { SecretDialog } from '../../ui/secret-dialog.tsx';
import { TokensPart } from './tokens-part.tsx';

type Dialog = { open: 'none' } | { open: 'new' } | { open: 'secret'; secret: string };
const NO_DIALOG: Dialog = { open: 'none' };

/** The person's own tokens. */
export function MyTokens({ role }: { role: OrgRole }) {
  const tokens = useMyTokens();
  const create = useCreateMyToken();
  const [dialog, setDialog] = useState<Dialog>(NO_DIALOG);
  const close = () => setDialog(NO_DIALOG);
  const open = () => {
    create.reset();
    setDialog({ open: 'new' });
  };
  return (
    <>
      <TokensPart
        title="Your tokens"
        about="They act for you in this organization: with what you give them, and never more than you may do yourself at that moment. Nobody manages members, policies, tokens or webhooks with a token."
        newLabel="New token"
        tokens={tokens}
        organizationId={null}
        onNew={open}
      />
      {dialog.open === 'new' && (
        <TokenDialog
          of={{ kind: 'personal', role }}
          saving={create}
          onCreate={({ name, scopes, expiresInDays }) =>
            create.mutate(
              { name, scopes, expiresInDays },
              { onSuccess: ({ secret }) => setDialog({ open: 'secret', secret }) },
            )
          }
          onClose={close}
        />
      )}
      {dialog.open === 'secret' && (
        <SecretDialog title="Your new token" label="Token" secret={dialog.secret} onCopy={copyText} onClose={close} />
      )}
    </>
  );
}
