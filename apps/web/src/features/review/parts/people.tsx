import type { WholeDraft } from '@stet/contract';
import { Check, CircleDashed, Undo2 } from 'lucide-react';
import { formatExact } from '../../../lib/format/time.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { TermHelp } from '../../../ui/term-help.tsx';
import { reviewersOf } from '../model/reviewers.ts';
import type { Reviewer } from '../model/reviewers.ts';

/** Past this the list of those who could still review says how many there are. */
const MOST_SILENT = 5;

/** Who has said what of the draft, and who could. */
export function Approvals({ draft }: { draft: WholeDraft }) {
  const people = reviewersOf(draft);
  const spoken = people.filter(({ stance }) => stance !== 'none');
  const silent = people.filter(({ stance }) => stance === 'none');
  const isOpen = draft.merged === null;
  const shown = isOpen ? [...spoken, ...silent.slice(0, MOST_SILENT)] : spoken;
  const hidden = isOpen ? silent.length - MOST_SILENT : 0;
  return (
    <section>
      <h2 className="h3">Approvals</h2>
      {shown.length === 0 && (
        <p className="muted">{isOpen ? 'Nobody else can review here.' : 'None were asked for.'}</p>
      )}
      <ul className="ppl">
        {shown.map((person) => (
          <li key={person.id}>
            <Who name={person.name} />
            <span title={person.at === null ? undefined : formatExact(person.at)}>
              <StanceBadge stance={person.stance} />
            </span>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="muted xs">and {hidden} more could review</p>}
    </section>
  );
}

function StanceBadge({ stance }: { stance: Reviewer['stance'] }) {
  switch (stance) {
    case 'approved':
      return (
        <Badge tone="live">
          <Icon of={Check} size="s" />
          Approved
        </Badge>
      );
    case 'changes_requested':
      return (
        <Badge tone="fail">
          <Icon of={Undo2} size="s" />
          Changes requested
        </Badge>
      );
    case 'dismissed':
      return (
        <Badge tone="gray">
          <Icon of={CircleDashed} size="s" />
          Dismissed
        </Badge>
      );
    case 'not_counted':
      return <Badge tone="gray">Doesn’t count</Badge>;
    case 'none':
      return <span className="muted xs">No review yet</span>;
  }
}

/** Who has worked on the draft, and so can't approve it. */
export function Contributors({ contributors }: Pick<WholeDraft, 'contributors'>) {
  return (
    <section>
      <div className="row contributors">
        <h2 className="h3">
          Contributors <span className="muted xs">can’t approve this draft</span>
        </h2>
        <TermHelp term="contributor" />
      </div>
      <ul className="ppl">
        {contributors.map(({ id, name, saves }) => (
          <li key={id}>
            <Who name={name} />
            <span className="muted xs">{saves === 1 ? '1 save' : `${saves} saves`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
