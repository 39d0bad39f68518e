import { Paperclip } from 'lucide-react';
import { Icon } from '../../ui/icon.tsx';
import styles from './files.module.css';

/** A small button that chooses files for the field with this name. */
export function AttachFiles({ name, onFiles }: { name: string; onFiles: (files: File[]) => void }) {
  return (
    <label className={styles.attach} title="Attach files, or drop or paste them">
      <Icon of={Paperclip} size="s" />
      Attach
      <input
        type="file"
        multiple
        className="vh"
        aria-label={`Attach files: ${name}`}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Cleared, so that the same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
    </label>
  );
}
