import { GitMerge } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { RebaseDraft } from '../../features/workflow-editor/rebase/components/rebase-draft.tsx';
import { readRebaseAddress } from '../../features/workflow-editor/rebase/model/rebase-address.ts';
import { paths } from '../../lib/paths.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import styles from '../../features/workflow-editor/rebase/components/rebase.module.css';

/** `/app/rebase?key=&id=`: rebases a draft onto the live version. */
export function RebaseScreen() {
  const [query] = useSearchParams();
  const address = readRebaseAddress(query);
  return (
    <div className={classNames('page', styles.rebasePage)}>
      <PageTitle>Rebase draft</PageTitle>
      {address === null ? (
        <EmptyState
          icon={GitMerge}
          title="No draft chosen"
          heading="h1"
          action={<ButtonLink to={paths.editor()}>Open the editor</ButtonLink>}
        >
          Open a draft in the editor. If a newer version is live, the editor links to this page.
        </EmptyState>
      ) : (
        <RebaseDraft key={`${address.at.key}/${address.at.id}`} address={address} />
      )}
    </div>
  );
}
