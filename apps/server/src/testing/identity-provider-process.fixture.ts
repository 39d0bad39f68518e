/**
 * A real OpenID Connect provider for the tests. Everyone who signs in is the person whom the parent process set last.
 * If it set nobody, the sign-in is refused.
 */
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

type Person = { sub: string } & Record<string, unknown>;
type Message = { person: Person | null };

const [clientId = '', secret = '', port = '0', redirectUris = '[]', claimsIn = 'userinfo'] = process.argv.slice(2);
const SCOPES = 'openid email profile';

const people = new Map<string, Person>();
let present: Person | null = null;
process.on('message', ({ person }: Message) => {
  present = person;
  if (person) people.set(person.sub, person);
  process.send?.({ received: true });
});
process.on('disconnect', () => process.exit(0));

let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {};
const server = createServer((request, response) => answer(request, response));
server.listen(Number(port), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = providerAt(issuer);
  const callback = provider.callback();
  answer = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void signIn(provider, request, response);
    else void callback(request, response);
  };
  process.send?.({ issuer });
});

function providerAt(issuer: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: secret,
        // A loopback address can use any port.
        application_type: 'native',
        redirect_uris: JSON.parse(redirectUris) as string[],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: claimsIn === 'userinfo',
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ ...people.get(accountId), sub: accountId }) }),
  });
}

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { prompt, session } = await provider.interactionDetails(request, response);
  if (!present) {
    await provider.interactionFinished(request, response, { error: 'access_denied' });
    return;
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: present.sub } });
    return;
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? present.sub, clientId });
  grant.addOIDCScope(SCOPES);
  const result = { consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
}
