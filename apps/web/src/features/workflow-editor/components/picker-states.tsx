import { FilePlus2, SearchX } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx';
import { AfterPatience, SkeletonLine } from '../../../ui/skeleton.tsx';
import styles from './picker.module.css';

/** Placeholders for five list rows. */
export function PickerLoading() {
  return (
    <>
      <p className="vh" role="status">
        Loading workflows...
      </p>
      <AfterPatience label="Loading workflows...">
        {['44%', '31%', '52%', '38%', '46%'].map((width) => (
          <div className={styles.pickerItem} key={width} aria-hidden="true">
            <SkeletonLine width={width} height={14} />
            <SkeletonLine width="70%" />
            <SkeletonLine width="28%" height={8} />
          </div>
        ))}
      </AfterPatience>
    </>
  );
}

export function PickerEmpty({ onCreate }: { onCreate: (() => void) | null }) {
  return (
    <EmptyState
      icon={FilePlus2}
      title="No workflows yet"
      heading="h3"
      isPlain
      role="status"
      action={onCreate && <Button onClick={onCreate}>Create Workflow</Button>}
    >
      {onCreate ? 'Start from a template or an empty table.' : 'Workflows appear here once an editor has created one.'}
    </EmptyState>
  );
}

export function PickerNoneFound() {
  const title = 'No workflows found - Try adjusting your search terms';
  return <EmptyState icon={SearchX} title={title} heading="h3" isPlain role="status" />;
}

export function PickerError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return <ErrorState title={message} heading="h3" isPlain retryLabel="Try Again" onRetry={onRetry} />;
}
