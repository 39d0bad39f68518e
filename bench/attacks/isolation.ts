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

/** An organization, everyone who is not of it, and everyone in it who may not do everything. */
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

/** Every route × everyone × ids: of another organization, of nobody, malformed, one's own. */
export async function attackIsolation(
  server: TestServer,
  { zephyrine, outsiders, insiders }: Cast,
): Promise<Outcome[]> {
  const { orgId } = zephyrine.theirs;
  const before = await stateOf(server, orgId);
  const people = outsiders.filter(({ standing }) => standing.kind === 'person' || standing.kind === 'homeless');
  const some = [...people, ...outsiders.filter(({ name }) => /nobody|all scopes|unsigned/.test(name))];
  const reached = await reachForTheirs(zephyrine, outsiders);
  const nothing = await reachForNothing(zephyrine, some);
  const own = await readTheirOwn(
    zephyrine,
    outsiders.filter(({ standing }) => standing.kind !== 'nobody'),
  );
  const changed = (await stateOf(server, orgId)) === before ? [] : ['the other organization is not as it was before'];
  // These have a right to be there, so their knocking may leave a trace: after the comparison.
  const within = await overstepWithin(zephyrine, insiders);
  return [
    {
      attack: 'Tenant isolation: another organization’s ids',
      tried: `${reached.probes} calls by ${outsiders.length} callers (nobody, sessions and tokens that are over or forged, every role, every scope)`,
      met: '401, 403 or 404; nothing of the other organization said or changed',
      findings: [...reached.findings, ...changed],
    },
    {
      attack: 'Tenant isolation: nobody’s ids and malformed ones',
      tried: `${nothing.probes} calls by ${some.length} callers`,
      met: 'the same answer for what another has as for what nobody has',
      findings: nothing.findings,
    },
    {
      attack: 'Tenant isolation: one’s own',
      tried: `${own.probes} reads, ${own.routesRead} routes granted`,
      met: 'only what is the caller’s own',
      findings: own.findings,
    },
    {
      attack: 'Roles and scopes within the organization',
      tried: `${within.probes} calls by ${insiders.length} members and tokens, each beyond its role or scopes`,
      met: '403',
      findings: within.findings,
    },
  ];
}
