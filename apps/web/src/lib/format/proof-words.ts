import type { Proof } from '@stet/domain/access';

/** How an account was proved in the organization, in words. */
const PROOF_WORDS = {
  mailbox: 'Address proved by email',
  provider: 'Proved by the identity provider',
  earlier: 'Created before addresses were proved',
  manager: 'Confirmed by an owner or admin',
  founder: 'Founded this organization',
} satisfies Record<Proof, string>;

export const proofWords = (proof: Proof | null): string => (proof === null ? 'Address not proved' : PROOF_WORDS[proof]);
