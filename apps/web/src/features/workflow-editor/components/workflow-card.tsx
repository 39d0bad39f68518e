import { Copy, Eye, Pencil, Play } from 'lucide-react';
import { Link } from 'react-router';
import { formatDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Who } from '../../../ui/avatar.tsx';
import { Moment } from '../../../ui/moment.tsx';
import type { PickerCard } from '../model/picker-cards.ts';
import styles from './picker.module.css';

type WorkflowCardProps = {
  card: PickerCard;
  highlighted: boolean;
  may: { edit: boolean; run: boolean };
  duplicating: boolean;
  onHighlight: () => void;
  onEdit: () => void;
  onRun: () => void;
  onDuplicate: () => void;
};

export function WorkflowCard({
  card,
  highlighted,
  may,
  duplicating,
  onHighlight,
  onEdit,
  onRun,
  onDuplicate,
}: WorkflowCardProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the mouse's way to highlight; the keyboard has arrow keys.
    <li
      className={styles.pickerItem}
      data-key={card.key}
      aria-current={highlighted ? true : undefined}
      aria-label={card.title}
      onFocus={onHighlight}
      onClick={onHighlight}
    >
      <div className={styles.pickerTitle}>
        <h3>
          <Link to={paths.document(card.key)}>{card.title}</Link>
        </h3>
        {card.shownStatuses.map((shown) => (
          <StatusBadge key={shown} status={shown} />
        ))}
      </div>
      {card.description && <p>{card.description}</p>}
      <div className={styles.pickerMeta}>
        <span className="mono">{card.key}</span>
        {card.versionLabel && <span>{card.versionLabel}</span>}
        <span>
          Last updated <Moment at={card.updatedAt}>{formatDate(card.updatedAt)}</Moment>
        </span>
        <Who name={card.creator} />
      </div>
      <div className={styles.pickerActs}>
        <Button size="sm" icon={may.edit ? Pencil : Eye} data-act="edit" onClick={onEdit}>
          {may.edit ? 'Edit' : 'View'}
        </Button>
        {may.run && (
          <Button
            size="sm"
            icon={Play}
            onClick={onRun}
            disabledReason={
              card.versionLabel ? undefined : 'Nothing is live yet. Publish a draft before starting a run.'
            }
          >
            Run
          </Button>
        )}
        {may.edit && (
          <Button size="sm" icon={Copy} onClick={onDuplicate} busy={duplicating && 'Duplicating...'}>
            Duplicate
          </Button>
        )}
      </div>
    </li>
  );
}
