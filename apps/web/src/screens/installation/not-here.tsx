import { FileQuestion } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** Shown to people who aren't administrators, as if there were no page at this address. */
export function NotHere() {
  return (
    <>
      <PageTitle>Not found</PageTitle>
      <EmptyState icon={FileQuestion} heading="h1" title="There is nothing at this address" />
    </>
  );
}
