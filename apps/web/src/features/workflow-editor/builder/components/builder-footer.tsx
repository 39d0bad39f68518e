import { countConnections } from '@stet/domain/workflows';
import { CircleAlert } from 'lucide-react';
import { Button, LinkButton } from '../../../../ui/button.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { DraftStepButton } from '../../components/editor-bar.tsx';
import type { BuilderDocument } from './builder-document.ts';
import styles from './builder.module.css';

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

export function BuilderFooter({ document, problems, readOnly, onShowProblem, onClose }: BuilderFooterProps) {
  const { steps, version, authors, dirty, saving, draftStep, onSave } = document;
  return (
    <footer className={styles.bldFoot} data-edge="foot">
      {counted(steps.length, 'step')}
      {counted(countConnections(steps), 'connection')}
      <span className={styles.bldVersion}>{version}</span>
      {authors !== '' && <span className={styles.bldAuthors}>{authors}</span>}
      {problems > 0 && (
        <LinkButton className={styles.bldProblems} onClick={onShowProblem}>
          <Icon of={CircleAlert} size="s" />
          {problems === 1 ? '1 problem' : `${problems} problems`}
        </LinkButton>
      )}
      <span className={styles.bldOut}>
        <Button onClick={onClose}>{dirty && !readOnly ? 'Cancel' : 'Close'}</Button>
        {draftStep && <DraftStepButton step={draftStep} />}
        {!readOnly && (
          <Button tone="primary" busy={saving && 'Saving...'} aria-keyshortcuts="Control+S Meta+S" onClick={onSave}>
            Save Workflow
          </Button>
        )}
      </span>
    </footer>
  );
}
