import type { RunStep } from '@stet/contract';
import { Who } from '../../../ui/avatar.tsx';

/** Who has agreed to skip a step, and why; nothing if nobody has. */
export function SkipVotes({ skip }: Pick<RunStep, 'skip'>) {
  if (skip.votes.length === 0) return null;
  return (
    <div className="votes">
      <b className="med">
        {skip.votes.length} of {skip.required} have agreed to skip
      </b>
      {skip.votes.map(({ by, reason }) => (
        <span key={by.id} className="vote">
          <Who name={by.name} />
          <q>{reason}</q>
        </span>
      ))}
    </div>
  );
}
