import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';

type Invited = { id: string; generation: number };
/**
 * Only the sender sees the `shown` link, in the list of members. The `mailed` link is sent only to the invited mailbox,
 * because it proves the mailbox.
 */
type LinkKind = 'shown' | 'mailed';

/**
 * The token in an invitation's link: 256 bits that only this installation can compute. It can be computed again for the
 * sender, although only its hash is stored.
 */
export const invitationToken = (
  { derive }: Pick<Deps, 'derive'>,
  { id, generation }: Invited,
  kind: LinkKind,
): string => derive(kind === 'shown' ? 'invitation' : 'mailed invitation', id, generation).toString('base64url');

export const invitationLink = (deps: Pick<Deps, 'derive' | 'publicUrl'>, invitation: Invited, kind: LinkKind): string =>
  `${deps.publicUrl}/invite/${invitationToken(deps, invitation, kind)}`;

/** The hashes under which an invitation's two links are looked up. */
export const tokenHashes = (deps: Pick<Deps, 'derive'>, invitation: Invited) => ({
  tokenHash: hashOfToken(invitationToken(deps, invitation, 'shown')),
  mailTokenHash: hashOfToken(invitationToken(deps, invitation, 'mailed')),
});
