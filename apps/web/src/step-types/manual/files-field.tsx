import { FILE_LIMITS, sizeWords } from '@stet/domain/steps';
import { Camera, Images, Paperclip } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react';
import type { UploadPlace } from '../../lib/upload-file.ts';
import { CheckGroup } from '../../ui/check-row.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { FileRows } from '../run/file-rows.tsx';
import styles from '../run/files.module.css';
import { useFileUploads } from '../run/use-file-uploads.ts';

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
  onUploading: ((isUploading: boolean) => void) | undefined;
};

/**
 * A field for files, which can be chosen, dropped, pasted or photographed. They are uploaded immediately, and attached
 * when the step is completed.
 */
export function FilesField({
  name,
  label,
  hint,
  error,
  isPhoto,
  value,
  place,
  onChange,
  onUploading,
}: FilesFieldProps) {
  const files = useFileUploads({ value, place, onChange });
  const { add } = files;
  const isUploading = [...files.uploads.values()].some(({ error: problem }) => problem === null);
  const report = useEffectEvent(() => onUploading?.(isUploading));
  useEffect(() => report(), [isUploading]);
  const [isOver, setOver] = useState(false);
  const noteId = useId();
  const hintId = useId();
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
        aria-describedby={hint === null ? noteId : `${hintId} ${noteId}`}
        aria-invalid={error ? true : undefined}
        disabled={place === undefined}
        accept={accept}
        capture={more.capture}
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // Cleared, so that the same file can be chosen again after it was removed.
          target.value = '';
        }}
      />
    </label>
  );
  return (
    <CheckGroup label={label} error={error}>
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
        {choose(isPhoto ? 'Choose photos' : 'Choose files', isPhoto ? Images : Paperclip)}
        <span id={noteId} className="xs muted">
          <span className={styles.onlyMouse}>Or drop or paste them here. </span>At most {sizeWords(FILE_LIMITS.bytes)}{' '}
          each.
        </span>
        {/* Below the list of files, the hint would be far from the buttons. */}
        {hint !== null && (
          <span id={hintId} className={classNames('xs muted', styles.help)}>
            {hint}
          </span>
        )}
      </div>
      <FileRows name={name} files={files} />
    </CheckGroup>
  );
}
