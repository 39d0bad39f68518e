import { useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { ProveAddressDialog } from './prove-address-dialog.tsx';
import './proof-note.css';

/** Says what waits for the proof of one's address, with the way to it. */
export function ProofNote({ children }: { children: ReactNode }) {
  return (
    <Note>
      <div className="proof-note">
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
