import { METADATA } from '@stet/domain/workflows';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import { useId } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { classNames } from '../../../ui/class-names.ts';
import { GrowingText } from '../../../ui/growing-text.tsx';
import { TermHelp } from '../../../ui/term-help.tsx';
import type { SourceRecord } from '../model/source.ts';
import type { EditorAction } from '../model/editor-state.ts';
import { DocumentBadge } from './document-badge.tsx';
import styles from './workflow-editor.module.css';

type EditorIntroProps = {
  workflowKey: string;
  record: SourceRecord;
  dirty: boolean;
  /** Says whose draft it is; empty without a draft. */
  authors: string;
  metadata: WorkflowMetadata;
  original: WorkflowMetadata;
  readOnly: boolean;
  dispatch: (action: EditorAction) => void;
  /** Whether the name gets the initial focus, because the workflow is new. */
  isNew: boolean;
  /** Called when the person presses Enter in the name. */
  onNamed: () => void;
};

/** The state, key, name and description at the top of the document. The name and description are edited in place. */
export function EditorIntro({
  workflowKey,
  record,
  dirty,
  authors,
  metadata,
  original,
  readOnly,
  dispatch,
  isNew,
  onNamed,
}: EditorIntroProps) {
  const id = useId();
  const type = (field: keyof WorkflowMetadata) => (value: string) => dispatch({ type: 'metadata_typed', field, value });
  const end = () => dispatch({ type: 'typing_ended' });
  return (
    <div className={styles.editorIntro}>
      <div className={styles.editorMarks}>
        <DocumentBadge record={record} dirty={dirty} />
        <TermHelp term={record.kind === 'live' && !dirty ? 'live' : 'draft'} />
        {record.kind === 'draft' && record.baseVersion !== null && (
          <span className="muted xs">based on v{record.baseVersion}</span>
        )}
        {record.kind === 'live' && record.version > 0 && <span className="muted xs">v{record.version}</span>}
        <span className="mono muted">{workflowKey}</span>
        {authors !== '' && <span className="muted xs">{authors}</span>}
        {record.kind === 'draft' && (
          <Link className="xs" to={paths.review({ key: workflowKey, id: record.draftId })}>
            Open review
          </Link>
        )}
      </div>
      <label className="label" htmlFor={`${id}-name`}>
        Workflow Name
      </label>
      <GrowingText
        id={`${id}-name`}
        className={fieldClass(styles.editorName, metadata.title !== original.title)}
        value={metadata.title}
        limit={METADATA.title.limit}
        oneLine
        required
        isSelected={isNew && !readOnly}
        onEnter={onNamed}
        readOnly={readOnly}
        onChange={type('title')}
        onEnd={end}
      />
      <label className="label" htmlFor={`${id}-description`}>
        Description
      </label>
      <GrowingText
        id={`${id}-description`}
        className={fieldClass(styles.editorDescription, metadata.description !== original.description)}
        value={metadata.description}
        limit={METADATA.description.limit}
        placeholder={readOnly ? '' : 'What this workflow is for'}
        readOnly={readOnly}
        onChange={type('description')}
        onEnd={end}
      />
    </div>
  );
}

const fieldClass = (name: string | undefined, changed: boolean): string =>
  classNames(styles.editorField, name, changed && styles.changed);
