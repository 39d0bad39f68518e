import type { ApiToken } from '@stet/contract';
import { Plus } from 'lucide-react';
import { useId } from 'react';
import { TokenList } from '../../features/api-tokens/components/token-list.tsx';
import { errorSentence } from '../../lib/api/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/empty-state.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';

type TokensPartProps = {
  title: string;
  about: string;
  newLabel: string;
  tokens: { isPending: boolean; data: ApiToken[] | undefined; error: unknown; refetch: () => unknown };
  organizationId: string | null;
  onNew: () => void;
};

export function TokensPart({ title, about, newLabel, tokens, organizationId, onNew }: TokensPartProps) {
  const id = useId();
  return (
    <section className="settings-part" aria-labelledby={id}>
      <div className="row">
        <h2 className="title-sm grow" id={id}>
          {title}
        </h2>
        <Button size="sm" icon={Plus} onClick={onNew}>
          {newLabel}
        </Button>
      </div>
      <p className="about">{about}</p>
      {tokens.isPending ? (
        <div className="sheet">
          <SkeletonRows rows={2} label="Loading tokens" />
        </div>
      ) : tokens.data ? (
        <TokenList tokens={tokens.data} organizationId={organizationId} />
      ) : (
        <ErrorState title="Error loading tokens" onRetry={() => void tokens.refetch()}>
          {errorSentence(tokens.error, 'Failed to load the tokens')}
        </ErrorState>
      )}
    </section>
  );
}
