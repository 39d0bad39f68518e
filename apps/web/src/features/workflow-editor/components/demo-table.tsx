import { fromTemplate, TEMPLATES } from '@stet/domain/workflows';
import type { WorkflowContent } from '@stet/domain/workflows';
import { ArrowLeft } from 'lucide-react';
import { useReducer, useRef, useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import { PageTitle } from '../../../ui/page-title.tsx';
import { editedContent, editorReducer, openDocument } from '../model/editor-state.ts';
import { allSuggestions } from '../model/assignee-suggestions.ts';
import { useStepGrid } from '../grid/use-step-grid.ts';
import { StepTable } from '../table/step-table.tsx';
import { EditorFoot } from '../table/table-view.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-editor.module.css';

const ROLES = allSuggestions([], []);

/** Demo mode: the same table as in the editor, with a document that is never saved (specification, section 2). */
export function DemoTable() {
  const [state, dispatch] = useReducer(editorReducer, null, () => openDocument(demoContent()));
  const [announcement, setAnnouncement] = useState('');
  const back = useRef<HTMLAnchorElement>(null);
  const scrolling = useRef<(row: number) => void>(null);
  const { steps } = editedContent(state);
  const grid = useStepGrid({
    steps,
    ids: state.ids,
    dispatch,
    announce: setAnnouncement,
    scrollToRow: (row) => scrolling.current?.(row),
  });
  return (
    <div className={styles.demo} data-editor="frame">
      <PageTitle>Demo Table</PageTitle>
      <div className={styles.editorBar}>
        <ButtonLink ref={back} to={paths.editor()} tone="quiet" size="sm" icon={ArrowLeft}>
          Back to the editor
        </ButtonLink>
      </div>
      <div className={classNames('sheet', styles.editorDoc)} data-editor="document">
        <div className={styles.editorIntro}>
          <h1 className="title">Demo Table</h1>
          <Note>Try everything: changes are not saved.</Note>
        </div>
        <div className={styles.editorTools}>
          <span className={styles.editorTip}>
            Drag the handle to reorder. Click a cell to edit and compare changes.
          </span>
        </div>
        <StepTable
          steps={steps}
          saved={state.saved.steps}
          cleared={state.cleared}
          suggestions={ROLES}
          grid={grid}
          scrolling={scrolling}
          onLeave={() => back.current?.focus()}
        />
        <EditorFoot steps={steps} />
      </div>
      <p className="vh" role="status">
        {announcement}
      </p>
    </div>
  );
}

function demoContent(): WorkflowContent {
  const template = TEMPLATES.find(({ id }) => id === 'project') ?? TEMPLATES[0];
  if (!template) throw new Error('no templates');
  const { metadata, steps } = fromTemplate(template, { timestamp: 0 });
  return { metadata, steps };
}
