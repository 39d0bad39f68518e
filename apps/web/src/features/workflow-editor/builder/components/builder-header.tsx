import { LIMITS, METADATA } from '@stet/domain/workflows';
import { Redo2, Table2, Undo2, Waypoints, X } from 'lucide-react';
import type { Ref } from 'react';
import { Input } from '../../../../ui/field.tsx';
import { DocumentBadge } from '../../components/document-badge.tsx';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { GrowingText } from '../../../../ui/growing-text.tsx';
import type { BuilderDocument } from './builder-document.ts';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './builder.module.css';

type BuilderHeaderProps = {
  document: BuilderDocument;
  readOnly: boolean;
  /** Null if no diagram can be drawn. */
  picture: { shown: boolean; onToggle: () => void } | null;
  titleRef: Ref<HTMLInputElement>;
  onClose: () => void;
};

export function BuilderHeader({ document, readOnly, picture, titleRef, onClose }: BuilderHeaderProps) {
  const { metadata, key, record, dirty, canUndo, canRedo, dispatch } = document;
  return (
    <header className={styles.bldTop} data-edge="head">
      <h1 className="vh">Workflow builder</h1>
      <IconButton label="Close" icon={X} size="sm" onClick={onClose} />
      <span className={styles.sep} />
      <div className={styles.bldNames}>
        <div className={styles.bldName}>
          <input
            className={styles.bldTi}
            aria-label="Workflow title"
            placeholder="Workflow title"
            maxLength={METADATA.title.limit}
            readOnly={readOnly}
            ref={titleRef}
            value={metadata.title}
            onChange={({ target }) => dispatch({ type: 'metadata_typed', field: 'title', value: target.value })}
            onBlur={() => dispatch({ type: 'typing_ended' })}
          />
          <DocumentBadge record={record} dirty={dirty} />
          {key.isFixed ? (
            <span className={classNames('mono muted', styles.bldKey)}>{key.value}</span>
          ) : (
            <label className={styles.bldKeyField}>
              <span className="muted">Key</span>
              <Input
                className="mono"
                aria-label="Workflow key"
                placeholder={key.suggested || 'from the title'}
                maxLength={LIMITS.key}
                spellCheck={false}
                autoComplete="off"
                value={key.value}
                onChange={({ target }) => key.onChange(target.value.trim())}
              />
            </label>
          )}
        </div>
        <GrowingText
          className={styles.bldDesc}
          aria-label="Workflow description"
          placeholder={readOnly ? 'No description' : 'What is this workflow for?'}
          limit={METADATA.description.limit}
          readOnly={readOnly}
          value={metadata.description}
          onChange={(value) => dispatch({ type: 'metadata_typed', field: 'description', value })}
          onEnd={() => dispatch({ type: 'typing_ended' })}
        />
      </div>
      <div className={styles.bldTools}>
        {dirty && (
          <span className={styles.bldUnsaved} role="status">
            Unsaved changes
          </span>
        )}
        {!readOnly && (
          <>
            <IconButton
              label="Undo"
              icon={Undo2}
              size="sm"
              aria-disabled={!canUndo}
              aria-keyshortcuts="Control+Z Meta+Z"
              onClick={() => dispatch({ type: 'undone' })}
            />
            <IconButton
              label="Redo"
              icon={Redo2}
              size="sm"
              aria-disabled={!canRedo}
              aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z"
              onClick={() => dispatch({ type: 'redone' })}
            />
          </>
        )}
        <Button tone="quiet" size="sm" icon={Table2} aria-label="Open as table" onClick={document.onSwitch}>
          <span className={styles.bldSwitch}>Open as table</span>
        </Button>
        {picture && (
          <IconButton
            label="Diagram"
            icon={Waypoints}
            size="sm"
            className={picture.shown ? styles.on : undefined}
            aria-pressed={picture.shown}
            onClick={picture.onToggle}
          />
        )}
      </div>
    </header>
  );
}
