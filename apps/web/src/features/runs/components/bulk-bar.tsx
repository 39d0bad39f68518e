import { Ban, Pause, Sheet, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { priorityWord } from '../../../ui/priority.tsx';
import type { BulkAction } from '../api/use-bulk-runs.ts';
import { PRIORITY_CHOICES } from '../model/run-filters.ts';
import styles from './bulk-bar.module.css';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import type { BulkFormProps } from './bulk-form.tsx';

type BulkBarProps = {
  runs: readonly { id: string; name: string }[];
  canControl: boolean;
  isExporting: boolean;
  onExport: () => void;
  onClear: () => void;
};

export function BulkBar({ runs, canControl, isExporting, onExport, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<BulkAction | null>(null);
  return (
    <div className={styles.bulk} role="group" aria-label="Selected runs">
      <b className="med" role="status">
        {runs.length} selected
      </b>
      {canControl && (
        <>
          <Button size="sm" icon={Pause} onClick={() => setAsked({ action: 'pause' })}>
            Pause
          </Button>
          <Button size="sm" icon={Ban} onClick={() => setAsked({ action: 'cancel' })}>
            Cancel runs
          </Button>
          <Menu
            position="bottom-start"
            target={<Button size="sm">Priority</Button>}
            groups={[
              {
                entries: PRIORITY_CHOICES.map((priority) => ({
                  label: priorityWord(priority),
                  onPick: () => setAsked({ action: 'set_priority', priority }),
                })),
              },
            ]}
          />
        </>
      )}
      <Button size="sm" icon={Sheet} busy={isExporting && 'Exporting…'} onClick={onExport}>
        Export selected
      </Button>
      <IconButton size="sm" icon={X} label="Clear selection" onClick={onClear} />
      {asked && <BulkDialog runs={runs} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** Asks for a reason, changes several runs, and shows the result of each. It opens when it is mounted. */
const BulkDialog = lazyDialog<BulkFormProps>(async () => (await import('./bulk-form.tsx')).BulkForm);
