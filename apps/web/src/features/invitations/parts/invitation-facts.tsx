import type { Invitation } from '@stet/contract';
import { formatDate } from '../../../lib/format/time.ts';
import { Moment } from '../../../ui/moment.tsx';
import { ORG_ROLE_WORDS } from '../../../lib/format/org-role.ts';
import './invitation-facts.css';

/** The box that says what one is invited to. */
export function InvitationFacts({ invitation }: { invitation: Invitation }) {
  const { word, about } = ORG_ROLE_WORDS[invitation.role];
  return (
    <dl className="facts invitation-facts">
      <dt>Organization</dt>
      <dd className="med">{invitation.organization.name}</dd>
      <dt>Role</dt>
      <dd>
        {word}
        <span className="about">{about}</span>
      </dd>
      <dt>Expires</dt>
      <dd>
        <Moment at={invitation.expiresAt}>{formatDate(invitation.expiresAt)}</Moment>
      </dd>
    </dl>
  );
}
