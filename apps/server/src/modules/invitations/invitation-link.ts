import type { Deps } from '../../kernel/deps.ts';
import { hashOfToken } from '../../kernel/derive.ts';

type Invited = { id: string; generation: number };
/** Only the sender sees the link `shown`, in the list of members. The link `mailed` is sent only to the invited mailbox. */
type LinkKind = 'shown' | 'mailed';

/**
 * The token of an invitation's link: 256 bits that only this installation can compute. This lets senders see their link again, although only the hash of the token is stored. The mailed link proves the mailbox, so only the mail contains
 * it.
 */
export const invitationToken = (
  { derive }: Pick<Deps, 'derive'>,
  { id, generation }: Invited,
  kind: LinkKind,
): string => derive(kind === 'shown' ? 'invitation' : 'mailed invitation', id, generation).toString('base64url');

export const invitationLink = (deps: Pick<Deps, 'derive' | 'publicUrl'>, invitation: Invited, kind: LinkKind): string =>
  `${deps.publicUrl}/invite/${invitationToken(deps, invitation, kind)}`;

/** The hashes used to look up both links of an invitation. */
export const tokenHashes = (deps: Pick<Deps, 'derive'>, invitation: Invited) => ({
  tokenHash: hashOfToken(invitationToken(deps, invitation, 'shown')),
  mailTokenHash: hashOfToken(invitationToken(deps, invitation, 'mailed')),
});
