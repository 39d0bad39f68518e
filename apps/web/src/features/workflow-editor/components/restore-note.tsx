import { isolated } from '@stet/domain/workflows';
import { formatDateTime } from '../../../lib/format/time.ts';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import type { UnsavedCopyModel } from './use-unsaved-copy.ts';
import styles from './restore-note.module.css';

/** Offers to restore unsaved changes that a closed tab stored in this browser. */
export function RestoreNote({ copy, now }: { copy: UnsavedCopyModel; now: number }) {
  const { found } = copy;
  if (!found) return null;
  const title = found.value.edited.metadata.title;
  return (
    <Note tone="warn">
      <div className={styles.restore}>
        <span>
          This browser has unsaved changes{title && ` to “${isolated(title)}”`} from {formatDateTime(found.at, now)}.
        </span>
        <span className={styles.restoreActs}>
          <Button size="sm" onClick={copy.restore}>
            Restore unsaved changes
          </Button>
          <Button size="sm" tone="quiet-danger" onClick={copy.discard}>
            Discard them
          </Button>
        </span>
      </div>
    </Note>
  );
}
