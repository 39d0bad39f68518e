import type { FoundWorkflow } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { Copy, FilePlus2 } from 'lucide-react';
import { Fragment } from 'react';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { formatShortDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { useNow } from '../../../lib/use-now.ts';
import { shownStatuses } from '../../../lib/workflow-state.ts';
import { Who } from '../../../ui/avatar.tsx';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { TagList } from '../../../ui/tag-list.tsx';
import { Table, TableHead } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import { ExcerptText } from './excerpt-text.tsx';
import { SearchHits, isFoundWithin } from './search-hits.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from './docs-table.module.css';

const COLUMNS: readonly Column[] = [
  { name: 'Workflow', className: styles.nm },
  { name: 'Live Version', className: styles.lv },
  { name: '# Steps', className: styles.ns },
  { name: 'Status', className: styles.st },
  { name: 'Owner', className: styles.ow },
  { name: 'Updated', className: styles.up },
  { name: 'Actions', className: styles.actions },
];

export type RowAction = 'version' | 'duplicate';

type DocsTableProps = {
  workflows: readonly FoundWorkflow[];
  selectedKey: string | null;
  canEdit: boolean;
  /** The row whose action is in progress. */
  busy: { key: string; action: RowAction } | null;
  onSelect: (key: string) => void;
  /** Called when Enter is pressed on the selected row. */
  onOpen: (key: string) => void;
  onAct: (key: string, action: RowAction) => void;
};

/**
 * The workflows as rows. Arrow keys move the selection; a click, Space or Enter selects; Enter again opens.
 * `useWorkflowSelection` handles Escape.
 */
export function DocsTable({ workflows, selectedKey, onSelect, onOpen, ...actions }: DocsTableProps) {
  const focusable = workflows.some(({ key }) => key === selectedKey) ? selectedKey : workflows[0]?.key;

  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, key: string) => {
    // If a button or link in the row has the focus, that element handles the keys.
    if (event.target !== event.currentTarget) return;
    const neighbor = neighborRow(event.currentTarget, event.key);
    if (neighbor) {
      event.preventDefault();
      neighbor.focus();
      onSelect(neighbor.dataset['key'] ?? key);
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (event.key === 'Enter' && key === selectedKey) onOpen(key);
      else onSelect(key);
    }
  };

  return (
    <Table className={styles.docs} role="grid" aria-label="Workflows">
      <TableHead columns={COLUMNS} />
      <tbody>
        {workflows.map((workflow) => {
          const { key } = workflow;
          const isSelected = key === selectedKey;
          const hasMore = isFoundWithin(workflow);
          return (
            <Fragment key={key}>
              <tr
                data-key={key}
                className={hasMore ? styles.hasMore : undefined}
                tabIndex={key === focusable ? 0 : -1}
                aria-selected={isSelected}
                onClick={() => onSelect(key)}
                onKeyDown={(event) => onKey(event, key)}
              >
                <WorkflowCells workflow={workflow} onSelect={onSelect} {...actions} />
              </tr>
              {hasMore && (
                <tr className={styles.found} aria-selected={isSelected}>
                  <td colSpan={COLUMNS.length}>
                    <SearchHits workflow={workflow} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </Table>
  );
}

/** The next row of a workflow in this direction, skipping the rows of search matches. */
function neighborRow(row: HTMLTableRowElement, key: string): HTMLTableRowElement | null {
  const step = key === 'ArrowDown' ? 'nextElementSibling' : key === 'ArrowUp' ? 'previousElementSibling' : null;
  if (!step) return null;
  let at = row[step];
  while (at instanceof HTMLTableRowElement && at.dataset['key'] === undefined) at = at[step];
  return at instanceof HTMLTableRowElement ? at : null;
}

type CellsProps = { workflow: FoundWorkflow } & Pick<DocsTableProps, 'canEdit' | 'busy' | 'onSelect' | 'onAct'>;

function WorkflowCells({ workflow, canEdit, busy, onSelect, onAct }: CellsProps) {
  const { key, metadata, version, stepsCount, owner, updatedAt, hits, status, tags } = workflow;
  const title = displayTitle(key, metadata.title);
  const inTitle = hits.find((hit) => hit.in === 'title');
  const inKey = hits.find((hit) => hit.in === 'key');
  const doing = busy?.key === key ? busy.action : null;
  const act = (action: RowAction) => (doing === null ? onAct(key, action) : undefined);
  return (
    <>
      <td className={styles.nm}>
        <Link className={classNames('title-sm', styles.titleLink)} to={paths.document(key)} title={title}>
          {inTitle ? <ExcerptText of={inTitle.text} /> : title}
        </Link>
        <span className="mono muted">{inKey ? <ExcerptText of={inKey.text} /> : key}</span>
        <TagList tags={tags} />
      </td>
      <td className={styles.lv}>
        {version ? <b className="med">v{version.number}</b> : <span className="muted">none</span>}
      </td>
      <td className={styles.ns}>{stepsCount}</td>
      <td className={styles.st}>
        <span className="row">
          {shownStatuses(workflow).map((shown) => (
            <StatusBadge key={shown} status={shown} />
          ))}
        </span>
      </td>
      <td className={styles.ow}>
        <Who name={owner.name} />
      </td>
      <td className={classNames('nowrap two', styles.up)}>
        <Updated at={updatedAt} />
      </td>
      <td className={styles.actions}>
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps clicks on the buttons from also clicking the row. */}
        <span className="row" onClick={(event) => event.stopPropagation()}>
          <Button size="sm" onClick={() => onSelect(key)}>
            View<span className="vh"> {title}</span>
          </Button>
          {canEdit && (
            <>
              <IconButton
                size="sm"
                icon={FilePlus2}
                label={status === 'archived' ? 'Create new version: this workflow is archived' : 'Create new version'}
                aria-disabled={status === 'archived' || undefined}
                aria-busy={doing === 'version' || undefined}
                onClick={() => status !== 'archived' && act('version')}
              />
              <IconButton
                size="sm"
                icon={Copy}
                label="Duplicate"
                aria-busy={doing === 'duplicate' || undefined}
                onClick={() => act('duplicate')}
              />
            </>
          )}
        </span>
      </td>
    </>
  );
}

/** For example '18 Nov'. The year is included if it isn't the current one, and the tooltip has the exact time. */
function Updated({ at }: { at: string }) {
  const now = useNow(60_000);
  return <Moment at={at}>{formatShortDate(at, now)}</Moment>;
}
