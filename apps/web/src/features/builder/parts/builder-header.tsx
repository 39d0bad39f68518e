import { LIMITS } from '@stet/domain/workflows';
import { Redo2, Undo2, Waypoints, X } from 'lucide-react';
import type { Ref } from 'react';
import { StatusBadge } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { GrowingText } from '../../../ui/growing-text.tsx';
import type { BuilderDocument } from './builder-document.ts';

type BuilderHeaderProps = {
  document: BuilderDocument;
  readOnly: boolean;
  /** Null where there is no picture to show. */
  picture: { shown: boolean; onToggle: () => void } | null;
  titleRef: Ref<HTMLInputElement>;
  onClose: () => void;
};

/** What the workflow is called, where it stands, and the tools of the whole document. */
export function BuilderHeader({ document, readOnly, picture, titleRef, onClose }: BuilderHeaderProps) {
  const { metadata, key, status, dirty, history } = document;
  return (
    <header className="bld-top">
      <h1 className="vh">Workflow builder</h1>
      <IconButton label="Close" icon={X} size="sm" onClick={onClose} />
      <span className="sep" />
      <div className="bld-names">
        <div className="bld-name">
          <input
            className="bld-ti"
            aria-label="Workflow title"
            placeholder="Workflow title"
            maxLength={LIMITS.title}
            readOnly={readOnly}
            ref={titleRef}
            value={metadata.title}
            onChange={({ target }) => document.onMetadata('title', target.value)}
            onBlur={document.onTypingEnd}
          />
          <StatusBadge status={status} />
          {key.isFixed ? (
            <span className="mono muted bld-key">{key.value}</span>
          ) : (
            <label className="bld-key-field">
              <span className="muted">Key</span>
              <input
                className="input mono"
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
          className="bld-desc"
          aria-label="Workflow description"
          placeholder={readOnly ? 'No description' : 'What is it for?'}
          limit={LIMITS.description}
          readOnly={readOnly}
          value={metadata.description}
          onChange={(description) => document.onMetadata('description', description)}
          onEnd={document.onTypingEnd}
        />
      </div>
      <div className="bld-tools">
        {dirty && (
          <span className="bld-unsaved" role="status">
            Unsaved changes
          </span>
        )}
        {!readOnly && (
          <>
            <IconButton
              label="Undo"
              icon={Undo2}
              size="sm"
              aria-disabled={!history.canUndo}
              aria-keyshortcuts="Control+Z Meta+Z"
              onClick={history.onUndo}
            />
            <IconButton
              label="Redo"
              icon={Redo2}
              size="sm"
              aria-disabled={!history.canRedo}
              aria-keyshortcuts="Control+Shift+Z Meta+Shift+Z"
              onClick={history.onRedo}
            />
          </>
        )}
        {picture && (
          <IconButton
            label="Picture of the flow"
            icon={Waypoints}
            size="sm"
            className={picture.shown ? 'on' : undefined}
            aria-pressed={picture.shown}
            onClick={picture.onToggle}
          />
        )}
      </div>
    </header>
  );
}
