import { sizeWords } from '@stet/domain/steps';
import { isolated, visibleText } from '@stet/domain/workflows';
import { File as FileIcon, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './files.module.css';
import type { FileEntry } from './typed.ts';
import { useFilePreview } from './use-file-preview.ts';
import { type FileUpload, keyOf, type useFileUploads } from './use-file-uploads.ts';

type FileRowsProps = {
  /** The label of the files' field as text. */
  name: string;
  files: Pick<ReturnType<typeof useFileUploads>, 'entries' | 'uploads' | 'thumbs' | 'message' | 'retry' | 'remove'>;
};

/**
 * The files of a form before it is sent, with their progress, and messages about them for screen readers. Asks for
 * confirmation before an uploaded file is removed: its upload is deleted, and a photo may exist nowhere else.
 */
export function FileRows({ name, files: { entries, uploads, thumbs, message, retry, remove } }: FileRowsProps) {
  const [removing, setRemoving] = useState<FileEntry | null>(null);
  return (
    <>
      {entries.length > 0 && (
        <ul className={styles.list} aria-label={`Files: ${name}`}>
          {entries.map((entry) => {
            const key = keyOf(entry);
            return (
              <FileRow
                key={key}
                entry={entry}
                upload={uploads.get(key)}
                thumb={thumbs.get(key)}
                onRetry={() => retry(key)}
                onRemove={() => (entry.evidence ? setRemoving(entry) : remove(key))}
              />
            );
          })}
        </ul>
      )}
      <span className="vh" role="status">
        {message}
      </span>
      {removing && (
        <ConfirmDialog
          open
          danger
          title={`Remove ${isolated(visibleText(removing.name))}?`}
          confirmLabel="Remove"
          onConfirm={() => {
            remove(keyOf(removing));
            setRemoving(null);
          }}
          onCancel={() => setRemoving(null)}
        >
          The uploaded file will be deleted. To attach it again, you need the file itself.
        </ConfirmDialog>
      )}
    </>
  );
}

type FileRowProps = {
  entry: FileEntry;
  upload: FileUpload | undefined;
  thumb: string | undefined;
  onRetry: () => void;
  onRemove: () => void;
};

function FileRow({ entry, upload, thumb, onRetry, onRemove }: FileRowProps) {
  const name = visibleText(entry.name);
  // After a reload, the browser doesn't have the file any more, so the server's preview is shown.
  const preview = useFilePreview(thumb === undefined ? entry.evidence : undefined);
  const shown = thumb ?? preview;
  return (
    <li>
      <span className={styles.thumb}>{shown ? <img src={shown} alt="" /> : <Icon of={FileIcon} />}</span>
      <span className={styles.about}>
        <bdi>{name}</bdi> <span className="xs muted">{sizeWords(entry.size)}</span>
        <FileState entry={entry} upload={upload} name={name} />
      </span>
      <span className={styles.actions}>
        {upload?.error && <IconButton size="sm" label={`Try again: ${name}`} icon={RotateCw} onClick={onRetry} />}
        <IconButton size="sm" tone="quiet-danger" label={`Remove ${name}`} icon={Trash2} onClick={onRemove} />
      </span>
    </li>
  );
}

function FileState({ entry, upload, name }: Pick<FileRowProps, 'entry' | 'upload'> & { name: string }) {
  if (entry.evidence) return null;
  if (upload?.error) return <span className={styles.problem}>{upload.error}</span>;
  if (upload) return <progress max={1} value={upload.share} aria-label={`Uploading ${name}`} />;
  return (
    <span className={styles.problem}>
      {entry.problem ?? 'The upload was interrupted. Choose this file again to continue.'}
    </span>
  );
}
