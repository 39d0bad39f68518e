import { CircleAlert, FilePlus2, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import '../../../ui/empty-state.css';
import { Icon } from '../../../ui/icon.tsx';
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
    <InPlaceOfList
      icon={FilePlus2}
      title="No workflows yet"
      action={onCreate && <Button onClick={onCreate}>Create Workflow</Button>}
    >
      {onCreate ? 'Start from a template or an empty table.' : 'Workflows appear here once an editor has created one.'}
    </InPlaceOfList>
  );
}

export function PickerNoneFound() {
  return <InPlaceOfList icon={SearchX} title="No workflows found - Try adjusting your search terms" />;
}

export function PickerError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className="empty" role="alert">
      <span className="trouble">
        <Icon of={CircleAlert} size="l" />
      </span>
      <h3 className="title-sm">{message}</h3>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}

type InPlaceOfListProps = { icon: typeof SearchX; title: string; action?: ReactNode; children?: ReactNode };

function InPlaceOfList({ icon, title, action, children }: InPlaceOfListProps) {
  return (
    <div className="empty" role="status">
      <Icon of={icon} size="l" />
      <h3 className="title-sm">{title}</h3>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}
