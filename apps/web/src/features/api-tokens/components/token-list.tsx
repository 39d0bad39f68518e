import { isolated } from '@stet/domain/workflows';
import type { ApiToken } from '@stet/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { roleWord } from '../../../lib/format/org-role.ts';
import { formatDate } from '../../../lib/format/time.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Badge, Tag } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { toast } from '../../../ui/toast.ts';
import { useRevokeToken } from '../api/use-api-tokens.ts';
import { scopeWords } from '../model/scope-words.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './token-list.module.css';

type TokenListProps = {
  tokens: readonly ApiToken[];
  /** The organization whose tokens are listed, or null for the user's own tokens. */
  organizationId: string | null;
};

export function TokenList({ tokens, organizationId }: TokenListProps) {
  const now = useNow(60_000);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  // The dialog stays mounted after the last token is gone, so that the result of revoking it is announced.
  return (
    <>
      {tokens.length === 0 && (
        <EmptyState icon={KeyRound} title="No API tokens">
          Create a token to let a program use the API without your password.
        </EmptyState>
      )}
      <ul className={classNames('sheet', styles.tokens)} hidden={tokens.length === 0}>
        {tokens.map((token) => {
          const isExpired = token.expiresAt !== null && new Date(token.expiresAt).getTime() <= now;
          return (
            <li key={token.id}>
              <div className="grow">
                <span className="row">
                  <span className="med trunc" title={token.name}>
                    {token.name}
                  </span>
                  {organizationId !== null && <Tag>{token.role === null ? 'personal' : roleWord(token.role)}</Tag>}
                  {isExpired && <Badge tone="warn">Expired</Badge>}
                  {token.role === null && token.expiresAt === null && <Badge tone="warn">No expiry: replace it</Badge>}
                </span>
                <span className={styles.meta}>
                  {organizationId !== null &&
                    `${token.role === null ? 'Belongs to' : 'Created by'} ${isolated(token.owner.name)}. `}
                  {token.scopes.map(scopeWords).join('. ')}.
                </span>
                <span className={styles.meta}>
                  Ends in <span className="mono">{token.ending}</span>, created{' '}
                  <Moment at={token.createdAt}>{formatDate(token.createdAt)}</Moment>,{' '}
                  {token.expiresAt === null ? (
                    'never expires'
                  ) : (
                    <>
                      {isExpired ? 'expired' : 'expires'}{' '}
                      <Moment at={token.expiresAt}>{formatDate(token.expiresAt)}</Moment>
                    </>
                  )}
                  ,{' '}
                  {token.lastUsedAt === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <RelativeTime at={token.lastUsedAt} />
                    </>
                  )}
                </span>
              </div>
              <Button
                tone="quiet-danger"
                size="sm"
                aria-label={`Revoke ${token.name}, ending in ${token.ending}`}
                onClick={() => setRevoking(token)}
              >
                Revoke
              </Button>
            </li>
          );
        })}
      </ul>
      {revoking && <RevokeDialog token={revoking} organizationId={organizationId} onClose={() => setRevoking(null)} />}
    </>
  );
}

type RevokeDialogProps = { token: ApiToken; organizationId: string | null; onClose: () => void };

function RevokeDialog({ token, organizationId, onClose }: RevokeDialogProps) {
  const revoke = useRevokeToken(organizationId);
  const confirm = () =>
    !revoke.isPending &&
    revoke.mutate(token.id, {
      onSuccess: () => {
        toast.ok('Token revoked', token.name);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      danger
      title="Revoke this token?"
      confirmLabel="Revoke"
      busy={revoke.isPending && 'Revoking…'}
      error={revoke.isError ? errorSentence(revoke.error, 'Failed to revoke the token') : null}
      onConfirm={confirm}
      onCancel={onClose}
    >
      Programs that use {isolated(token.name)} will lose access to the API. This can’t be undone.
    </ConfirmDialog>
  );
}
