import { countConnections } from '@stet/domain/workflows';
import { CircleAlert } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import type { BuilderDocument } from './builder-document.ts';

type BuilderFooterProps = {
  document: BuilderDocument;
  problems: number;
  readOnly: boolean;
  onShowProblem: () => void;
  onClose: () => void;
};

const counted = (n: number, word: string) => (
  <span>
    <b className="bold">{n}</b> {n === 1 ? word : `${word}s`}
  </span>
);

/** Counts, version, and the way out. */
export function BuilderFooter({ document, problems, readOnly, onShowProblem, onClose }: BuilderFooterProps) {
  const { steps, version, dirty, saving, onSave } = document;
  return (
    <footer className="bld-foot" data-edge="foot">
      {counted(steps.length, 'step')}
      {counted(countConnections(steps), 'connection')}
      <span className="bld-version">{version}</span>
      {problems > 0 && (
        <button type="button" className="link bld-problems" onClick={onShowProblem}>
          <Icon of={CircleAlert} size="s" />
          {problems === 1 ? '1 problem' : `${problems} problems`}
        </button>
      )}
      <span className="bld-out">
        <Button onClick={onClose}>{dirty && !readOnly ? 'Cancel' : 'Close'}</Button>
        {!readOnly && (
          <Button tone="primary" busy={saving && 'Saving...'} aria-keyshortcuts="Control+S Meta+S" onClick={onSave}>
            Save Workflow
          </Button>
        )}
      </span>
    </footer>
  );
}
