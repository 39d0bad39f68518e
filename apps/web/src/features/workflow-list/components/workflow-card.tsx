import { Copy, Eye, Pencil, Play, Trash2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { formatDate } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { StatusBadge } from '../../../ui/badge.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TagList } from '../../../ui/tag-list.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { cardActions } from '../model/card.ts';
import type { Card, CardActions, CardRights } from '../model/card.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './workflow-grid.module.css';

export type CardAct = 'view' | 'edit' | 'run' | 'duplicate' | 'delete';

type WorkflowCardProps = {
  card: Card;
  rights: CardRights;
  duplicating: boolean;
  onAct: (act: CardAct, card: Card) => void;
};

const ACTS: readonly { act: CardAct; word: string; icon: LucideIcon }[] = [
  { act: 'view', word: 'View', icon: Eye },
  { act: 'edit', word: 'Edit', icon: Pencil },
  { act: 'run', word: 'Run', icon: Play },
  { act: 'duplicate', word: 'Duplicate', icon: Copy },
  { act: 'delete', word: 'Delete', icon: Trash2 },
];
const VIEW: CardActions['edit'] = { refused: null };

/**
 * A workflow in the grid. If there are at most two actions, they are text buttons; otherwise all are icons. Actions
 * without permission are hidden.
 */
export const WorkflowCard = memo(function WorkflowCard({ card, rights, duplicating, onAct }: WorkflowCardProps) {
  const actions = { view: VIEW, ...cardActions(card, rights) };
  const offered = ACTS.filter(({ act }) => actions[act] !== 'hidden');
  return (
    <li>
      <article className={classNames('sheet', styles.wf)} data-key={card.key} aria-label={card.title}>
        <div className={styles.wfHead}>
          <h2 title={card.title}>
            <Link to={paths.document(card.key)}>{card.title}</Link>
          </h2>
          <span className={styles.wfStatus}>
            {card.shownStatuses.map((shown) => (
              <StatusBadge key={shown} status={shown} />
            ))}
          </span>
        </div>
        <p className={classNames('mono muted', styles.wfKey)}>{card.key}</p>
        {card.description && (
          <p className={styles.wfText} title={card.description}>
            {card.description}
          </p>
        )}
        <TagList tags={card.tags} />
        <p className={styles.wfMeta}>
          <span>{card.steps}</span>
          <span>{card.version}</span>
          <span>{card.creator}</span>
          <Moment at={card.updatedAt}>{formatDate(card.updatedAt)}</Moment>
        </p>
        <div className={styles.wfActs}>
          {offered.map(({ act, word, icon }) => {
            const state = actions[act];
            const refused = state === 'hidden' ? null : state.refused;
            const name = `${word} ${card.title}`;
            const button = {
              'data-act': act,
              title: refused ?? (act === 'duplicate' && duplicating ? 'Duplicating...' : word),
              icon,
              size: 'sm',
              tone: act === 'delete' ? 'quiet-danger' : 'quiet',
              'aria-disabled': refused !== null || undefined,
              'aria-busy': (act === 'duplicate' && duplicating) || undefined,
              'aria-description': refused ?? undefined,
              onClick: () => refused === null && onAct(act, card),
            } as const;
            return offered.length > 2 ? (
              <IconButton key={act} label={name} {...button} />
            ) : (
              <Button key={act} aria-label={name} {...button} disabledReason={refused ?? undefined}>
                {word}
              </Button>
            );
          })}
        </div>
      </article>
    </li>
  );
});
