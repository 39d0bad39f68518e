/**
 * The secrets of one sign-in, which are checked when the person returns. When the sign-in starts, the provider gets
 * `state` and `nonce`, but only a hash of `verifier`.
 */
type Challenge = { state: string; nonce: string; verifier: string };

/**
 * The person whom a provider has identified. Issuer and subject identify this person permanently. The other claims may
 * change.
 */
export type Identified = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
};

/**
 * `denied`: the person cancelled, or the provider didn't let them sign in. `unavailable`: a later attempt may succeed.
 * `failed`: the provider rejected the server's request, or its response can't be trusted.
 */
export type ProviderFailure = 'denied' | 'unavailable' | 'failed';

export class ProviderProblem extends Error {
  constructor(
    readonly failure: ProviderFailure,
    /** The message for the log. It never contains an authorization code, a token or a person's address. */
    message: string,
  ) {
    super(message);
  }
}

/** The OpenID Connect provider of this installation. Each call may throw `ProviderProblem`. */
export type IdentityProvider = {
  /** The provider's name as people see it. */
  label: string;
  /** Returns the provider's sign-in address. The provider sends the person back to `returnTo`. */
  begin: (returnTo: string) => Promise<{ url: string; challenge: Challenge }>;
  /** Returns the person identified by the parameters that the provider sent to `returnTo`. */
  finish: (came: { returnTo: string; parameters: URLSearchParams; challenge: Challenge }) => Promise<Identified>;
};
