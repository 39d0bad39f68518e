import { isolated } from '@stet/domain/workflows';
import { useState } from 'react';
import { memberAbilities } from '../../features/members/model/member-abilities.ts';
import { LeaveDialog } from '../../features/members/components/member-dialogs.tsx';
import { useUser } from '../../lib/session/signed-in.ts';
import type { Organization } from '../../lib/session/signed-in.ts';
import { useMembers } from '../../lib/session/use-members.ts';
import { Button } from '../../ui/button.tsx';

/** Lets a member leave the organization. The last owner sees why they can't. */
export function LeavePart({ organization }: { organization: Organization }) {
  const user = useUser();
  const members = useMembers();
  const [asking, setAsking] = useState(false);
  const me = { id: user.id, role: organization.role };
  // Until the members are loaded, the button is enabled and the server decides.
  const removal = members.data ? memberAbilities(me, me, members.data).removal : { may: true as const };
  return (
    <section className="settings-part" aria-labelledby="leave">
      <h2 className="title-sm" id="leave">
        Leave {isolated(organization.name)}
      </h2>
      <p className="about">
        {removal.may ? 'You lose access immediately. Your past actions stay in the history.' : removal.reason}
      </p>
      <div>
        <Button tone="danger" disabledReason={removal.may ? undefined : removal.reason} onClick={() => setAsking(true)}>
          Leave organization
        </Button>
      </div>
      {asking && <LeaveDialog organization={organization} userId={user.id} onClose={() => setAsking(false)} />}
    </section>
  );
}
