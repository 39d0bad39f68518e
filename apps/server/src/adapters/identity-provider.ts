import type { Configuration } from 'openid-client';
import type { OidcSettings } from '../kernel/config.ts';
import { type Identified, type IdentityProvider, ProviderProblem } from '../kernel/identity-provider.ts';
import { providerProblemOf } from './identity-provider-problem.ts';

const PATIENCE_SECONDS = 10;
/** How long the provider's metadata may be cached. */
const FRESH_MS = 10 * 60_000;

/** Loads the library on first use, because most installations have no provider. */
const library = () => import('openid-client');

/**
 * Supports any provider with OpenID Connect Discovery 1.0. It uses the authorization code flow with PKCE and verifies
 * token signatures.
 */
export function openIdentityProvider(settings: OidcSettings): IdentityProvider {
  let known: { at: number; configuration: Promise<Configuration> } | null = null;
  const discovered = async (): Promise<Configuration> => {
    if (known && Date.now() - known.at < FRESH_MS) return known.configuration;
    const asking = { at: Date.now(), configuration: discover(settings) };
    known = asking;
    try {
      return await asking.configuration;
    } catch (error) {
      // A failed discovery is not cached, so the next call tries again.
      if (known === asking) known = null;
      throw error;
    }
  };
  return {
    label: settings.label,
    begin: (returnTo) =>
      asked(async () => {
        const [oidc, configuration] = [await library(), await discovered()];
        const challenge = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(configuration, {
          redirect_uri: returnTo,
          scope: settings.scopes,
          state: challenge.state,
          nonce: challenge.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(challenge.verifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, challenge };
      }),
    finish: ({ returnTo, parameters, challenge }) =>
      asked(async () => {
        const [oidc, configuration] = [await library(), await discovered()];
        const address = new URL(returnTo);
        address.search = parameters.toString();
        const tokens = await oidc.authorizationCodeGrant(configuration, address, {
          expectedState: challenge.state,
          expectedNonce: challenge.nonce,
          pkceCodeVerifier: challenge.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new ProviderProblem('failed', 'there is no ID token');
        const isWhole = claims['email'] !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined;
        const more = isWhole ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
        return identified(claims.iss, claims.sub, { ...more, ...claims });
      }),
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const oidc = await library();
  // The settings allow plain HTTP only if the provider runs on this machine.
  const ways = issuer.startsWith('http:')
    ? [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks]
    : [oidc.enableNonRepudiationChecks];
  const found = await oidc.discovery(new URL(issuer), clientId, undefined, undefined, {
    execute: ways,
    timeout: PATIENCE_SECONDS,
  });
  const server = found.serverMetadata();
  // Without this field, the provider accepts Basic authentication (Discovery 1.0, section 3).
  const takes = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const secret = takes.includes('client_secret_basic')
    ? oidc.ClientSecretBasic(clientSecret)
    : oidc.ClientSecretPost(clientSecret);
  const configuration = new oidc.Configuration(server, clientId, undefined, secret);
  configuration.timeout = PATIENCE_SECONDS;
  for (const apply of ways) apply(configuration);
  return configuration;
}

function identified(issuer: string, subject: string, claims: Record<string, unknown>): Identified {
  const textOf = (name: string): string | null => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? value : null;
  };
  // Some providers send "true" as a string.
  const verified = claims['email_verified'];
  return {
    issuer,
    subject,
    email: textOf('email'),
    isEmailVerified: verified === true || verified === 'true',
    name: textOf('name') ?? textOf('preferred_username'),
  };
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw providerProblemOf(error);
  }
}
