import { isolated } from '@stet/domain/workflows';
import { Avatar } from './avatar.tsx';
import styles from './people-here.module.css';

const SHOWN = 4;

/** 'N people here', if at least one other person is viewing the same page. */
export function PeopleHere({ people }: { people: readonly { id: string; name: string }[] }) {
  if (people.length < 2) return null;
  const names = people.map(({ name }) => isolated(name)).join(', ');
  return (
    <span className={styles.people} title={names}>
      <span className={styles.avs}>
        {people.slice(0, SHOWN).map(({ id, name }) => (
          <Avatar key={id} name={name} />
        ))}
      </span>
      {people.length} people here<span className="vh">: {names}</span>
    </span>
  );
}
