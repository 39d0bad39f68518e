/** What a sign-in begins with and has to come back to; none of it leaves the server except sealed, or hashed to the provider. */
type Challenge = { state: string; nonce: string; verifier: string };

/** Whom a provider has identified. Issuer and subject name them for good; the rest is what it says of them now. */
export type Identified = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
};

/** `denied`: the person or the provider said no. `unavailable`: it may work later. `failed`: what came back can't be trusted. */
export type ProviderFailure = 'denied' | 'unavailable' | 'failed';

export class ProviderProblem extends Error {
  constructor(
    readonly failure: ProviderFailure,
    /** For the log: never a code, a token or an address. */
    message: string,
  ) {
    super(message);
  }
}

/** The OpenID Connect provider of this installation. Each call may throw `ProviderProblem`. */
export type IdentityProvider = {
  /** What people know it by. */
  label: string;
  /** Where a person signs in; the provider then sends them to `returnTo`. */
  begin: (returnTo: string) => Promise<{ url: string; challenge: Challenge }>;
  /** Who came back, by the parameters that the provider sent to `returnTo`. */
  finish: (came: { returnTo: string; parameters: URLSearchParams; challenge: Challenge }) => Promise<Identified>;
};
