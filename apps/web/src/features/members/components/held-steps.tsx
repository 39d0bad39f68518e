import type { Member, OkOf } from '@stet/contract';
import { groupAssignee } from '@stet/domain/access';
import { isolated } from '@stet/domain/workflows';
import { useUser } from '../../../lib/session/signed-in.ts';
import { useGroups } from '../../../lib/session/use-groups.ts';
import { useMembers } from '../../../lib/session/use-members.ts';
import { TextField } from '../../../ui/field.tsx';
import { PersonField } from '../../../ui/person-field.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import styles from './member-dialogs.module.css';

export type HeldSteps = OkOf<'GET /api/organizations/{id}/users/{userId}/steps'>;
/** What happens to a leaver's steps. `to` is a member's id or a group (`group:finance`); empty until one is chosen. */
export type StepsTo = { is: 'release' | 'hand_over'; to: string; reason: string };

const STEPS_TO = [
  { value: 'release', label: 'Release them' },
  { value: 'hand_over', label: 'Hand them over' },
] as const;

type HeldStepsFieldProps = {
  held: HeldSteps;
  member: Member;
  value: StepsTo;
  error: string | undefined;
  onChange: (value: StepsTo) => void;
};

/** A leaver's steps by workflow, and the choice of who gets them. */
export function HeldStepsField({ held, member, value, error, onChange }: HeldStepsFieldProps) {
  const { id: userId } = useUser();
  const members = useMembers({ staleTime: 60_000 });
  const groups = useGroups();
  const people = (members.data ?? []).filter(({ id }) => id !== userId && id !== member.id);
  const teams = (groups.data ?? [])
    .filter(({ members: ids }) => ids.some((id) => id !== member.id))
    .map(({ slug, name }) => ({ id: groupAssignee(slug), name, email: groupAssignee(slug) }));
  const steps = held.reduce((sum, each) => sum + each.steps, 0);
  const approvals = held.reduce((sum, each) => sum + each.approvals, 0);
  return (
    <>
      <p>They claimed these steps of open runs, or got them from someone:</p>
      <ul className={styles.removedTokens}>
        {held.map(({ key, title, ...counts }) => (
          <li key={key}>
            {isolated(title)}: {[...counted(counts.steps, 'step'), ...counted(counts.approvals, 'approval')].join(', ')}
          </li>
        ))}
      </ul>
      {steps > 0 && (
        <>
          <div>
            <SegmentedControl
              label="Their steps"
              value={value.is}
              options={STEPS_TO}
              onChange={(is) => onChange({ ...value, is })}
            />
          </div>
          {value.is === 'release' ? (
            <p className="xs muted">The steps wait again for everyone whom they name.</p>
          ) : (
            <>
              <PersonField
                label="Person or group"
                people={[...teams, ...people]}
                withGroups
                value={value.to}
                error={error}
                onChange={(to) => onChange({ ...value, to })}
                onBlur={() => undefined}
              />
              <TextField
                label="Reason"
                value={value.reason}
                maxLength={2000}
                dir="auto"
                onChange={(reason) => onChange({ ...value, reason })}
              />
            </>
          )}
        </>
      )}
      {approvals > 0 && <p className="xs muted">Approvals return to those who handed them over.</p>}
    </>
  );
}

const counted = (count: number, noun: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${noun}` : `${count} ${noun}s`];
