import { ArrowLeft, GitCompare, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { paths } from '../../../lib/paths.ts';
import { Breadcrumbs } from '../../../ui/breadcrumbs.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import type { NextAct } from '../model/next-act.ts';
import styles from './workflow-editor.module.css';

export type DraftStep = {
  /** 'Publish' if nobody else has to approve, otherwise 'Submit for review' or 'Withdraw from review'. */
  label: string;
  busyLabel: string;
  busy: boolean;
  disabledReason: string | undefined;
  onClick: () => void;
};

type EditorBarProps = {
  title: string;
  dirty: boolean;
  /** The suggested next action, whose button is highlighted. */
  next: NextAct | null;
  lastSaved: ReactNode;
  readOnly: boolean;
  saving: boolean;
  draftStep: DraftStep | null;
  onBack: () => void;
  onViewChanges: () => void;
  onStartRun: (() => void) | null;
  onSave: () => void;
};

const toneOf = (act: NextAct, next: NextAct | null) => (act === next ? 'primary' : 'plain');

export function EditorBar(props: EditorBarProps) {
  const { title, dirty, next, lastSaved, readOnly, saving, draftStep, onBack, onViewChanges, onStartRun, onSave } =
    props;
  return (
    <div className={styles.editorBar} data-edge="head">
      <Button tone="quiet" size="sm" icon={ArrowLeft} onClick={onBack}>
        Back
      </Button>
      <span className={styles.sep} />
      <Breadcrumbs
        className={styles.trail}
        trail={[{ label: 'Dashboard', to: paths.app }, { label: 'Editor', to: paths.editor() }, { label: title }]}
      />
      <div className={styles.editorState}>
        {dirty && (
          <span className={styles.unsaved} role="status">
            Unsaved changes
          </span>
        )}
        {lastSaved && <span>Last saved {lastSaved}</span>}
      </div>
      <div className={styles.editorActs}>
        {dirty && (
          <Button tone="quiet" icon={GitCompare} onClick={onViewChanges}>
            View Changes
          </Button>
        )}
        {onStartRun && (
          <Button tone={toneOf('run', next)} icon={Play} onClick={onStartRun}>
            Start Run
          </Button>
        )}
        {!readOnly && (
          <>
            {draftStep && <DraftStepButton step={draftStep} next={next} />}
            <Button
              tone={toneOf('save', next)}
              onClick={onSave}
              busy={saving && 'Saving...'}
              aria-keyshortcuts="Control+S Meta+S"
            >
              Save
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** The button that submits, publishes or withdraws the draft. */
export function DraftStepButton({ step, next = null }: { step: DraftStep; next?: NextAct | null }) {
  return (
    <Button
      tone={toneOf('draft', next)}
      onClick={step.onClick}
      busy={step.busy && step.busyLabel}
      disabledReason={step.disabledReason}
    >
      {step.label}
    </Button>
  );
}

/** The actions of `EditorBar` at the bottom of the screen on phones, where the thumb can reach them. */
export function SaveBar({
  dirty,
  next,
  readOnly,
  saving,
  draftStep,
  onViewChanges,
  onStartRun,
  onSave,
}: EditorBarProps) {
  if (readOnly && !dirty && !onStartRun) return null;
  return (
    <div className={styles.saveBar} data-edge="foot" data-save-bar="">
      {dirty && (
        <IconButton
          className={styles.saveIcon}
          tone="plain"
          label="View Changes"
          icon={GitCompare}
          onClick={onViewChanges}
        />
      )}
      {onStartRun && !readOnly && (
        <IconButton className={styles.saveIcon} tone="plain" label="Start Run" icon={Play} onClick={onStartRun} />
      )}
      {onStartRun && readOnly && (
        <Button tone={toneOf('run', next)} icon={Play} onClick={onStartRun}>
          Start Run
        </Button>
      )}
      {!readOnly && (
        <>
          {draftStep && <DraftStepButton step={draftStep} next={next} />}
          <Button tone={toneOf('save', next)} onClick={onSave} busy={saving && 'Saving...'}>
            Save
          </Button>
        </>
      )}
    </div>
  );
}
