import type { Invitation } from '@stet/contract';
import { formatDate } from '../../../lib/format/time.ts';
import { Moment } from '../../../ui/moment.tsx';
import { ORG_ROLE_WORDS } from '../../../lib/format/org-role.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './invitation-facts.module.css';

export function InvitationFacts({ invitation }: { invitation: Invitation }) {
  const { word, about } = ORG_ROLE_WORDS[invitation.role];
  return (
    <dl className={classNames('facts', styles.invitationFacts)}>
      <dt>Organization</dt>
      <dd className="med">{invitation.organization.name}</dd>
      <dt>Role</dt>
      <dd>
        {word}
        <span className={styles.about}>{about}</span>
      </dd>
      <dt>Expires</dt>
      <dd>
        <Moment at={invitation.expiresAt}>{formatDate(invitation.expiresAt)}</Moment>
      </dd>
    </dl>
  );
}
