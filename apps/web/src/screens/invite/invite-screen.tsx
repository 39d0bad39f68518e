import { isolated } from '@stet/domain/workflows';
import { useParams } from 'react-router';
import { useVisitor } from '../../features/accounts/api/use-visitor.ts';
import { PublicPage } from '../../features/accounts/components/public-page.tsx';
import { useInvitation } from '../../features/invitations/api/use-invitation.ts';
import { InvitationFacts } from '../../features/invitations/components/invitation-facts.tsx';
import { roleWord } from '../../lib/format/org-role.ts';
import { LoadingLine } from '../../ui/spinner.tsx';
import { BrokenInvitation } from './broken-invitation.tsx';
import { JoinAsMember } from './join-as-member.tsx';
import { JoinWithNewAccount } from './join-with-new-account.tsx';
import { SignedInAsAnother } from './signed-in-as-another.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './invite-screen.module.css';

/** `/invite/:token` (specification, section 2). */
export function InviteScreen() {
  const { token = '' } = useParams();
  const arrival = useInvitation(token);
  const visitor = useVisitor();
  if (arrival.state === 'missing' || arrival.state === 'failed') return <BrokenInvitation {...arrival} />;
  if (arrival.state === 'loading' || visitor.state === 'asking') {
    return (
      <PublicPage title="You're Invited!">
        <LoadingLine>Loading invitation…</LoadingLine>
      </PublicPage>
    );
  }
  const { invitation } = arrival;
  return (
    <PublicPage
      title="You're Invited!"
      lede={
        <>
          {isolated(invitation.invitedBy)} invited you to join <b className="bold">{invitation.organization.name}</b> as{' '}
          {roleWord(invitation.role)}.
        </>
      }
    >
      <div className={classNames('stack', styles.invitation)}>
        <InvitationFacts invitation={invitation} />
        {visitor.state === 'stranger' ? (
          <JoinWithNewAccount token={token} invitation={invitation} />
        ) : visitor.email.toLowerCase() === invitation.email.toLowerCase() ? (
          <JoinAsMember token={token} visitor={visitor} />
        ) : (
          <SignedInAsAnother visitor={visitor} invited={invitation.email} />
        )}
      </div>
    </PublicPage>
  );
}
