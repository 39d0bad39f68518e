import { LIMITS } from '@stet/domain/workflows';
import type { WorkflowMetadata } from '@stet/domain/workflows';
import { useId, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { statusOf } from '../model/source.ts';
import type { SourceRecord } from '../model/source.ts';
import type { EditorAction } from '../model/editor-state.ts';

type EditorIntroProps = {
  workflowKey: string;
  record: SourceRecord;
  metadata: WorkflowMetadata;
  original: WorkflowMetadata;
  readOnly: boolean;
  dispatch: (action: EditorAction) => void;
};

/** State, key, name and description at the head of the document; the latter two are edited where they stand. */
export function EditorIntro({ workflowKey, record, metadata, original, readOnly, dispatch }: EditorIntroProps) {
  const id = useId();
  const type = (field: keyof WorkflowMetadata) => (value: string) => dispatch({ type: 'metadata_typed', field, value });
  const end = () => dispatch({ type: 'typing_ended' });
  return (
    <div className="editor-intro">
      <div className="editor-marks">
        <StatusBadge status={statusOf(record)} />
        {record.kind === 'draft' && record.baseVersion !== null && (
          <span className="muted xs">based on v{record.baseVersion}</span>
        )}
        {record.kind === 'live' && record.version > 0 && <span className="muted xs">v{record.version}</span>}
        {record.kind === 'unsaved' && <span className="muted xs">not saved yet</span>}
        <span className="mono muted">{workflowKey}</span>
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
        className="editor-name"
        value={metadata.title}
        changed={metadata.title !== original.title}
        limit={LIMITS.title}
        oneLine
        required
        readOnly={readOnly}
        onChange={type('title')}
        onEnd={end}
      />
      <label className="label" htmlFor={`${id}-description`}>
        Description
      </label>
      <GrowingText
        id={`${id}-description`}
        className="editor-description"
        value={metadata.description}
        changed={metadata.description !== original.description}
        limit={LIMITS.description}
        placeholder={readOnly ? '' : 'What this workflow is for'}
        readOnly={readOnly}
        onChange={type('description')}
        onEnd={end}
      />
    </div>
  );
}

type GrowingTextProps = {
  id: string;
  className: string;
  value: string;
  changed: boolean;
  limit: number;
  readOnly: boolean;
  oneLine?: boolean;
  required?: boolean;
  placeholder?: string;
  onChange: (value: string) => void;
  onEnd: () => void;
};

/** A text field as high as its text, also for the name: a long one wraps. */
function GrowingText({
  className,
  value,
  changed,
  limit,
  oneLine = false,
  onChange,
  onEnd,
  ...rest
}: GrowingTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const node = field.current;
    if (!node) return;
    const fit = () => {
      node.style.height = '0';
      node.style.height = `${node.scrollHeight + 2}px`;
    };
    fit();
    // Fonts arrive late and windows change their width.
    void document.fonts?.ready.then(fit);
    window.addEventListener('resize', fit);
    return () => window.removeEventListener('resize', fit);
  }, [value]);
  return (
    <textarea
      {...rest}
      ref={field}
      className={changed ? `editor-field ${className} changed` : `editor-field ${className}`}
      rows={1}
      maxLength={limit}
      value={value}
      onChange={(event) => onChange(oneLine ? event.target.value.replaceAll(/\s*\n\s*/g, ' ') : event.target.value)}
      onKeyDown={(event) => {
        if (oneLine && event.key === 'Enter' && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.currentTarget.blur();
        }
      }}
      onBlur={onEnd}
    />
  );
}
