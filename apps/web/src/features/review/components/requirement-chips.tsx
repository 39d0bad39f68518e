import type { WholeDraft } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { Badge } from '../../../ui/badge.tsx';
import styles from './requirement-chips.module.css';

type Approver = WholeDraft['requirements'][number]['by'][number];
const approverName = ({ name, delegate }: Approver): string =>
  delegate ? `${isolated(delegate.name)} for ${isolated(name)}` : name;

/**
 * The required approvals of the draft: 'Reviewers 0 of 1', 'Compliance 0 of 1'. Nothing is shown without requirements.
 */
export function RequirementChips({ requirements }: Pick<WholeDraft, 'requirements'>) {
  if (requirements.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Who has to approve">
      {requirements.map(({ group, name, needed, has, by }) => (
        <li key={group ?? ''} title={by.length > 0 ? `Approved by ${by.map(approverName).join(', ')}` : undefined}>
          <Badge tone={has < needed ? 'warn' : 'live'}>
            {isolated(name)} {has} of {needed}
          </Badge>
        </li>
      ))}
    </ul>
  );
}
