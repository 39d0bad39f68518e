import { FileQuestion } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

/** Looks like the page for an unknown address, because the page doesn't exist for other people. */
export function NotHere() {
  return (
    <>
      <PageTitle>Not found</PageTitle>
      <EmptyState icon={FileQuestion} heading="h1" title="There is nothing at this address" />
    </>
  );
}
