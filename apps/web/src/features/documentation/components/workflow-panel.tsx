import type { VersionInForce, VersionRecord, WorkflowDetail } from '@stet/contract';
import { formatSla } from '@stet/domain/sla';
import { PREVIEW_STEPS } from '@stet/presentation/constants';
import { displayTitle } from '@stet/domain/workflows';
import { BookOpen, Copy, Ellipsis, FilePlus2, Play, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { shownStatuses } from '../../../lib/workflow-state.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button, ButtonLink, IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { LoadingLine } from '../../../ui/spinner.tsx';
import type { RowAction } from './docs-table.tsx';
import { VersionList } from './version-list.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-panel.module.css';

type WorkflowPanelProps = {
  workflow: WorkflowDetail;
  /** Undefined while they are loading. */
  versions: readonly VersionInForce[] | undefined;
  isTeam: boolean;
  may: { edit: boolean; run: boolean; rollBack: boolean };
  isOpening: boolean;
  failure: ReactNode;
  onChangeInEditor: () => void;
  onAct: (action: RowAction) => void;
  onRun: () => void;
  onRollBack: (version: VersionRecord) => void;
  onClose: () => void;
};

/** The panel beside the list. It shows the selected workflow (specification, section 2, documentation screen). */
export function WorkflowPanel(props: WorkflowPanelProps) {
  const { workflow, versions, isTeam, may, isOpening, failure, onChangeInEditor, onAct, onRun, onRollBack, onClose } =
    props;
  const { key, metadata, steps, version, status } = workflow;
  const title = displayTitle(key, metadata.title);
  const isArchived = status === 'archived';
  return (
    <SidePanel
      label={title}
      sheet="full"
      closeLabel="Close panel (Esc)"
      onClose={onClose}
      head={shownStatuses(workflow).map((shown) => (
        <StatusBadge key={shown} status={shown} />
      ))}
    >
      <h2>
        <Link className={styles.quietLink} to={paths.document(key)}>
          {title}
        </Link>
      </h2>
      <p className="mono muted">{key}</p>
      <div className={classNames('row', styles.panelActs)}>
        {may.edit && (
          <Button
            tone="primary"
            icon={SquarePen}
            busy={isOpening && 'Opening editor...'}
            disabledReason={isArchived ? 'This workflow is archived' : undefined}
            onClick={onChangeInEditor}
          >
            Change in editor
          </Button>
        )}
        {may.run && (
          <Button
            icon={Play}
            disabledReason={
              isArchived ? 'This workflow is archived' : version ? undefined : 'This workflow has no live version yet'
            }
            onClick={onRun}
          >
            Run
          </Button>
        )}
        <ButtonLink icon={BookOpen} to={paths.document(key)}>
          Read
        </ButtonLink>
        {may.edit && (
          <Menu
            target={<IconButton label="More actions" icon={Ellipsis} />}
            groups={[
              {
                entries: [
                  {
                    label: 'Create new version',
                    icon: FilePlus2,
                    disabled: isArchived,
                    onPick: () => onAct('version'),
                  },
                  { label: 'Duplicate', icon: Copy, onPick: () => onAct('duplicate') },
                ],
              },
            ]}
          />
        )}
      </div>
      {failure}
      <h3>
        Preview <span className="muted xs">{previewWords(steps.length)}</span>
      </h3>
      <ol className={styles.preview}>
        {steps.slice(0, PREVIEW_STEPS).map((step, at) => (
          <li key={step.id}>
            <b>{at + 1}</b>
            <span>{step.title || `Step ${at + 1}`}</span>
            <small>{step.sla !== '' && formatSla(step.sla)}</small>
          </li>
        ))}
      </ol>
      <h3>Versions</h3>
      {versions ? (
        <VersionList
          workflowKey={key}
          versions={versions}
          isArchived={isArchived}
          isTeam={isTeam}
          canRollBack={may.rollBack}
          onRollBack={onRollBack}
        />
      ) : (
        <LoadingLine>Loading versions...</LoadingLine>
      )}
    </SidePanel>
  );
}

const previewWords = (count: number): string =>
  count > PREVIEW_STEPS ? `first ${PREVIEW_STEPS} of ${count} steps` : count === 1 ? '1 step' : `${count} steps`;
