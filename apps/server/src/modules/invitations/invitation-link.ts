import type { Deps } from '../../kernel/deps.ts';

/**
 * The token of an invitation's link: 256 bits that only this installation can compute. So those who manage the
 * organization can see the link again although only the token's hash is stored.
 */
export const invitationToken = (
  { derive }: Pick<Deps, 'derive'>,
  { id, generation }: { id: string; generation: number },
): string => derive('invitation', id, generation).toString('base64url');

export const invitationLink = (
  deps: Pick<Deps, 'derive' | 'publicUrl'>,
  invitation: { id: string; generation: number },
): string => `${deps.publicUrl}/invite/${invitationToken(deps, invitation)}`;
