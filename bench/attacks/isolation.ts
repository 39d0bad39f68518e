import {
  overstepWithin,
  reachForNothing,
  reachForTheirs,
  readTheirOwn,
} from '../../apps/server/src/testing/isolation/play-isolation.ts';
import {
  type Principal,
  endedPrincipals,
  members,
  strangers,
  tokensOf,
} from '../../apps/server/src/testing/isolation/principals.ts';
import { type Zephyrine, foundZephyrine, stateOf } from '../../apps/server/src/testing/isolation/zephyrine.ts';
import type { TestServer } from '../../apps/server/src/testing/server.ts';
import type { Outcome } from './outcome.ts';

export type Cast = { zephyrine: Zephyrine; outsiders: Principal[]; insiders: Principal[] };

/** Creates an organization, its members and tokens, and outsiders of all kinds. */
export async function castOf(server: TestServer): Promise<Cast> {
  const zephyrine = await foundZephyrine(server);
  const outsiders = [
    ...(await endedPrincipals(server, zephyrine)),
    ...(await strangers(server, zephyrine)),
    ...(await tokensOf(server, 'another’s', zephyrine.stranger)),
  ];
  const insiders = [...(await members(server, zephyrine)), ...(await tokensOf(server, 'its', zephyrine.owner))];
  return { zephyrine, outsiders, insiders };
}

/**
 * Calls the routes as outsiders of all kinds: with another organization's ids, with unknown and malformed ids, and with
 * the caller's own ids. Then insiders make the calls that their role or scopes don't allow.
 */
export async function attackIsolation(
  server: TestServer,
  { zephyrine, outsiders, insiders }: Cast,
): Promise<Outcome[]> {
  const { orgId } = zephyrine.theirs;
  const before = await stateOf(server, orgId);
  const people = outsiders.filter(({ standing }) => standing.kind === 'person' || standing.kind === 'no_organization');
  const some = [...people, ...outsiders.filter(({ name }) => /nobody|all scopes|without a signature/.test(name))];
  const reached = await reachForTheirs(zephyrine, outsiders);
  const nothing = await reachForNothing(zephyrine, some);
  const own = await readTheirOwn(
    zephyrine,
    outsiders.filter(({ standing }) => standing.kind !== 'nobody'),
  );
  const changed = (await stateOf(server, orgId)) === before ? [] : ['the other organization has changed'];
  // Insiders have access, so their calls may change something. They come after the comparison.
  const within = await overstepWithin(zephyrine, insiders);
  return [
    {
      attack: 'Tenant isolation: another organization’s ids',
      tried: `${reached.probes} calls by ${outsiders.length} callers (anonymous, expired or forged sessions and tokens, every role, every scope)`,
      result: '401, 403 or 404; no data of the other organization revealed or changed',
      findings: [...reached.findings, ...changed],
    },
    {
      attack: 'Tenant isolation: unknown and malformed ids',
      tried: `${nothing.probes} calls by ${some.length} callers`,
      result: 'the same response for another organization’s ids as for unknown ids',
      findings: nothing.findings,
    },
    {
      attack: 'Tenant isolation: the caller’s own data',
      tried: `${own.probes} reads, ${own.routesRead} routes granted`,
      result: 'only the caller’s own data',
      findings: own.findings,
    },
    {
      attack: 'Roles and scopes within the organization',
      tried: `${within.probes} calls by ${insiders.length} members and tokens, each beyond their role or scopes`,
      result: '403',
      findings: within.findings,
    },
  ];
}
