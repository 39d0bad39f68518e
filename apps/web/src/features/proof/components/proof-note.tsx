import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import styles from './proof-note.module.css';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';

const ProveAddressDialog = lazyDialog(async () => (await import('./prove-address-dialog.tsx')).ProveAddressDialog);
/** A note about actions that need a proved address. Its button opens the dialog to prove the address. */
export function ProofNote({ children }: { children: ReactNode }) {
  return (
    <Note>
      <div className={styles.proofNote}>
        <span>{children}</span>
        <ProveAddressButton />
      </div>
    </Note>
  );
}

export function ProveAddressButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Prove your address
      </Button>
      {isOpen && <ProveAddressDialog onClose={() => setOpen(false)} />}
    </>
  );
}
