import { FileQuestion } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** The same as for an address without a page: for others, this page doesn't exist. */
export function NotHere() {
  return (
    <>
      <PageTitle>Not found</PageTitle>
      <EmptyState icon={FileQuestion} heading="h1" title="There is nothing at this address" />
    </>
  );
}
