import { Link } from 'react-router';
import { ApiError, errorSentence } from '../../../lib/api/api-error.ts';
import { paths } from '../../../lib/paths.ts';
import { Note } from '../../../ui/note.tsx';
import styles from './group-list.module.css';

type Naming = { key: string; title: string; isLive: boolean; drafts: number; runs: number };

/** The reason why a group couldn't be deleted: the workflows that name it, or another error. */
export function GroupInUse({ error }: { error: Error }) {
  if (!(error instanceof ApiError) || error.code !== 'group_in_use')
    return <Note tone="bad">{errorSentence(error, 'Failed to delete the group')}</Note>;
  return (
    <Note tone="bad">
      Steps of these workflows are assigned to this group. Assign them to someone else first.
      <ul className={styles.naming}>
        {(error.details as Naming[]).map(({ key, title, ...where }) => (
          <li key={key}>
            <Link to={paths.documentation({ key })}>{title}</Link>: {placesOf(where)}
          </li>
        ))}
      </ul>
    </Note>
  );
}

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${noun}` : `${count} ${noun}s`];

const placesOf = ({ isLive, drafts, runs }: Omit<Naming, 'key' | 'title'>): string =>
  [...(isLive ? ['live version'] : []), ...counted(drafts, 'draft'), ...counted(runs, 'open run')].join(', ');
