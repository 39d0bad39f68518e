import { lazy, Suspense } from 'react';
import type { ComponentProps } from 'react';
import type { FlowPicture as Picture } from './flow-picture.tsx';

// The layout library is only loaded when the diagram is opened.
const FlowPicture = lazy(async () => ({ default: (await import('./flow-picture.tsx')).FlowPicture }));

export function LazyFlowPicture(props: ComponentProps<typeof Picture>) {
  return (
    <Suspense fallback={null}>
      <FlowPicture {...props} />
    </Suspense>
  );
}
