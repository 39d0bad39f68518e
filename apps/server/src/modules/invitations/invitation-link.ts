import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';

type Invited = { id: string; generation: number };
/**
 * The inviter sees the `shown` link in the list of members. The `mailed` link is sent only to the invited mailbox,
 * because using it proves the mailbox.
 */
type LinkKind = 'shown' | 'mailed';

/**
 * Computes the token in an invitation's link: 256 bits that only this installation can compute. Only its hash is
 * stored, so it is computed again when the link is mailed or the sender views it.
 */
const invitationToken = ({ derive }: Pick<Deps, 'derive'>, { id, generation }: Invited, kind: LinkKind): string =>
  derive(kind === 'shown' ? 'invitation' : 'mailed invitation', id, generation).toString('base64url');

export const invitationLink = (deps: Pick<Deps, 'derive' | 'publicUrl'>, invitation: Invited, kind: LinkKind): string =>
  `${deps.publicUrl}/invite/${invitationToken(deps, invitation, kind)}`;

/** The hashes that find an invitation by one of its two links. */
export const tokenHashes = (deps: Pick<Deps, 'derive'>, invitation: Invited) => ({
  tokenHash: hashOfToken(invitationToken(deps, invitation, 'shown')),
  mailTokenHash: hashOfToken(invitationToken(deps, invitation, 'mailed')),
});
