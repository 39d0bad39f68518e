import { isolated } from '@stet/domain/workflows';
import { usePeopleHere } from '../../../lib/events/live-updates.tsx';
import { Avatar } from '../../../ui/avatar.tsx';

const SHOWN = 4;

/** 'N people here', where someone else looks at this run too. */
export function PeopleHere({ runId }: { runId: string }) {
  const people = usePeopleHere(runId);
  if (people.length < 2) return null;
  const names = people.map(({ name }) => isolated(name)).join(', ');
  return (
    <span className="people-here" title={names}>
      <span className="avs">
        {people.slice(0, SHOWN).map(({ id, name }) => (
          <Avatar key={id} name={name} />
        ))}
      </span>
      {people.length} people here<span className="vh">: {names}</span>
    </span>
  );
}
