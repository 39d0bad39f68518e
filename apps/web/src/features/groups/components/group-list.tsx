import { groupAssignee } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import type { Group, Member } from '@stet/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';
import styles from './group-list.module.css';

type GroupListProps = {
  groups: readonly Group[];
  members: readonly Member[];
  canManage: boolean;
  onChange: (group: Group) => void;
  onRemove: (group: Group) => void;
};

/** Maximum number of members that are named in one place. */
const MAX_NAMED = 5;

export function GroupList({ groups, members, canManage, onChange, onRemove }: GroupListProps) {
  const names = new Map(members.map(({ id, name }) => [id, name]));
  return (
    <ul className={classNames('sheet', styles.groups)}>
      {groups.map((group) => (
        <li key={group.id}>
          <div className="grow">
            <span className={styles.head}>
              <span className="med trunc" title={group.name}>
                {group.name}
              </span>
              <span className="mono xs muted">{groupAssignee(group.slug)}</span>
            </span>
            <span className={styles.members}>{namesOf(group.members.flatMap((id) => names.get(id) ?? []))}</span>
            {group.pendingRemovals.map((removal) => (
              <Note key={`${removal.proposedBy.id} ${removal.proposedAt}`}>
                {isolated(removal.proposedBy.name)} proposed to remove{' '}
                {namesOf(removal.members.flatMap((id) => names.get(id) ?? []))}. Another owner or admin has to confirm.{' '}
                {canManage && <Link to={paths.confirmations}>Open confirmations</Link>}
              </Note>
            ))}
          </div>
          {canManage && (
            <div className={styles.actions}>
              <IconButton size="sm" label={`Change ${group.name}`} icon={Pencil} onClick={() => onChange(group)} />
              <IconButton size="sm" label={`Delete ${group.name}`} icon={Trash2} onClick={() => onRemove(group)} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return 'Nobody';
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
