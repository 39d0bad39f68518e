import { Component } from 'react';
import type { ReactNode } from 'react';
import { ErrorState } from './empty-state.tsx';

type Boundary = { state: 'whole' } | { state: 'broken' };

/** 'Something went wrong' in the place of a part that threw while rendering (specification, section 2, shared UI). */
export class ErrorBoundary extends Component<{ children: ReactNode }, Boundary> {
  override state: Boundary = { state: 'whole' };

  static getDerivedStateFromError(): Boundary {
    return { state: 'broken' };
  }

  override render(): ReactNode {
    if (this.state.state === 'whole') return this.props.children;
    return <BrokenPage />;
  }
}

function BrokenPage() {
  return (
    <div className="page">
      <ErrorState
        heading="h1"
        title="Something went wrong"
        retryLabel="Reload page"
        onRetry={() => window.location.reload()}
      >
        What was saved is safe.
      </ErrorState>
    </div>
  );
}
