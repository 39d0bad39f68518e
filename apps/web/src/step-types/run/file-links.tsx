import { type Evidence, sizeWords } from '@stet/domain/steps';
import { visibleText } from '@stet/domain/workflows';
import { Download } from 'lucide-react';
import { errorSentence } from '../../lib/api/api-error.ts';
import { download } from '../../lib/api/api.ts';
import { LinkButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.ts';
import styles from './files.module.css';
import { useFilePreview } from './use-file-preview.ts';

/**
 * The files of a step or note, each with its size, the start of its digest and, if there is one, its preview. The file
 * itself is downloaded and never displayed.
 */
export function FileLinks({ files }: { files: readonly Evidence[] }) {
  const save = ({ fileId, name }: Evidence) =>
    void download('GET /api/files/{id}', name, { params: { id: fileId } }).catch((error: unknown) =>
      toast.bad('Download Failed', errorSentence(error, 'Failed to download the file')),
    );
  return (
    // Not a `ul`, because the surrounding lists style all items inside them.
    <div role="list" className={styles.links}>
      {files.map((file) => (
        <FileLink key={file.fileId} file={file} onSave={() => save(file)} />
      ))}
    </div>
  );
}

function FileLink({ file, onSave }: { file: Evidence; onSave: () => void }) {
  const preview = useFilePreview(file);
  return (
    <div role="listitem" className={preview ? styles.withPreview : undefined}>
      {preview && (
        <span className={styles.preview}>
          <img src={preview} alt="" />
        </span>
      )}
      <span>
        <LinkButton onClick={onSave}>
          <Icon of={Download} size="s" /> <bdi>{visibleText(file.name)}</bdi>
        </LinkButton>{' '}
        <span className={classNames('xs muted', styles.facts)}>
          {sizeWords(file.size)} · SHA-256 <code title={file.sha256}>{file.sha256.slice(0, 16)}…</code>
        </span>
      </span>
    </div>
  );
}
