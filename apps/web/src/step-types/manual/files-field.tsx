import { FILE_LIMITS, sizeWords } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import { Camera, File as FileIcon, Paperclip, RotateCw, Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { UploadPlace } from '../../lib/upload-file.ts';
import { IconButton } from '../../ui/button.tsx';
import { CheckGroup } from '../../ui/check-row.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FileEntry } from '../run/typed.ts';
import styles from '../run/files.module.css';
import { type FileUpload, keyOf, useFileUploads } from './use-file-uploads.ts';

type FilesFieldProps = {
  /** The label as text. */
  name: string;
  label: ReactNode;
  hint: string | null;
  error: string | undefined;
  isPhoto: boolean;
  value: string;
  place: UploadPlace | undefined;
  onChange: (text: string) => void;
};

/** Files to choose, drop, paste or photograph. They are uploaded at once, and attached when the step is completed. */
export function FilesField({ name, label, hint, error, isPhoto, value, place, onChange }: FilesFieldProps) {
  const { entries, uploads, thumbs, message, add, retry, remove } = useFileUploads({ value, place, onChange });
  const [isOver, setOver] = useState(false);
  const noteId = useId();
  const accept = isPhoto ? 'image/*' : undefined;
  const choose = (words: string, icon: typeof Camera, more: { capture?: 'environment'; className?: string } = {}) => (
    <label className={classNames(styles.choose, more.className)}>
      <Icon of={icon} size="s" />
      {words}
      <input
        type="file"
        multiple
        className="vh"
        aria-label={`${words}: ${name}`}
        aria-describedby={noteId}
        aria-invalid={error ? true : undefined}
        disabled={place === undefined}
        accept={accept}
        capture={more.capture}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // The same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
    </label>
  );
  return (
    <CheckGroup label={label} hint={hint} error={error}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Dropping and pasting are shortcuts for choosing. */}
      <div
        className={classNames(styles.drop, isOver && styles.isOver)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(place !== undefined);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          add([...event.dataTransfer.files]);
        }}
        onPaste={(event) => {
          if (event.clipboardData.files.length > 0) add([...event.clipboardData.files]);
        }}
      >
        {isPhoto && choose('Take a photo', Camera, { capture: 'environment', className: styles.onlyTouch ?? '' })}
        {choose(isPhoto ? 'Choose photos' : 'Choose files', isPhoto ? Camera : Paperclip)}
        <span id={noteId} className="xs muted">
          <span className={styles.onlyMouse}>or drop or paste them here, </span>at most{' '}
          {FILE_LIMITS.bytes / 1024 / 1024} MB each
        </span>
      </div>
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
                onRemove={() => remove(key)}
              />
            );
          })}
        </ul>
      )}
      <span className="vh" role="status">
        {message}
      </span>
    </CheckGroup>
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
  return (
    <li>
      <span className={styles.thumb}>{thumb ? <img src={thumb} alt="" /> : <Icon of={FileIcon} />}</span>
      <span className={styles.about}>
        <bdi>{name}</bdi> <span className="xs muted">{sizeWords(entry.size)}</span>
        <FileState entry={entry} upload={upload} name={name} />
      </span>
      <span className={styles.acts}>
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
  return <span className={styles.problem}>The upload was interrupted. Choose this file again to continue.</span>;
}
