import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationToken, personalToken } from '../testing/api-tokens.ts';
import { overstepWithin, reachForTheirs } from '../testing/isolation/play-isolation.ts';
import { type Principal, endedPrincipals, members, strangers } from '../testing/isolation/principals.ts';
import { PROBES, type Probe, reaching } from '../testing/isolation/probes.ts';
import { NAME, type Theirs, type Zephyrine, foundZephyrine, stateOf } from '../testing/isolation/zephyrine.ts';
import { addressOf, fieldsOf } from '../testing/routes.ts';
import { type Person, type TestServer, startTestServer } from '../testing/server.ts';

/** Some callers of each kind. `npm run test:attacks` covers all of them. */
const SOME =
  /^(?:nobody|.* without a signature|a revoked .*|the viewer of .*|.* personal organization|.* without an organization|.* in again|a removed admin)$/;

describe('another organization', () => {
  let server: TestServer;
  let zephyrine: Zephyrine;
  let theirs: Theirs;
  let stranger: Person;
  let others: Principal[];
  let insiders: Principal[];
  let before: string;

  beforeAll(async () => {
    server = await startTestServer({ WEBHOOK_ALLOW: '127.0.0.1' });
    zephyrine = await foundZephyrine(server);
    ({ theirs, stranger } = zephyrine);
    const scopes = ['workflow.read', 'draft.edit'] as const;
    others = [
      ...(await endedPrincipals(server, zephyrine)).filter(({ name }) => SOME.test(name)),
      ...(await strangers(server, zephyrine)).filter(({ name }) => SOME.test(name)),
      {
        name: 'a personal token of another organization’s owner',
        client: await personalToken(server, stranger, scopes),
        standing: { kind: 'personal', role: 'owner', scopes },
      },
      {
        name: 'another organization’s token',
        client: await organizationToken(server, stranger, 'admin', scopes),
        standing: { kind: 'organization', role: 'admin', scopes },
      },
    ];
    insiders = await members(server, zephyrine);
    before = await stateOf(server, theirs.orgId);
  });
  afterAll(() => server.stop());

  it("is probed on every route that gives access to an organization's data", () => {
    expect(reaching.map(([key]) => key).filter((key) => !PROBES[key])).toEqual([]);
    expect(Object.keys(PROBES).filter((key) => !reaching.some(([known]) => known === key))).toEqual([]);
  });

  it.each(reaching)("can't be accessed through %s", async (key, spec) => {
    const probes = PROBES[key]?.(theirs) ?? [];
    expect(uncovered(probes, 'params', fieldsOf(spec.params))).toEqual([]);
    expect(uncovered(probes, 'query', fieldsOf(spec.query))).toEqual([]);
    expect(uncovered(probes, 'body', fieldsOf(spec.body))).toEqual([]);
    const { orgId } = theirs;
    const disguises = [
      {},
      { 'x-org-id': orgId, 'x-organization-id': orgId, 'x-tenant-id': orgId, cookie: `org=${orgId}` },
    ];
    for (const probe of probes) {
      for (const headers of disguises) {
        const { method, path } = addressOf(key, probe);
        const { status, body } = await stranger.call(method, path, probe.body, { ...probe.headers, ...headers });
        const text = JSON.stringify(body);
        if (probe.answer === 400 || probe.answer === 403 || probe.answer === 409)
          expect({ path, status }).toEqual({ path, status: probe.answer });
        else if (probe.answer === 404)
          expect({ path, status, body }).toMatchObject({ status: 404, body: { code: 'not_found' } });
        else expect(status).toBeLessThan(300);
        if (probe.answer === 'empty') expect(body).toEqual([]);
        expect(text).not.toContain(NAME);
        expect(text).not.toContain(theirs.email);
      }
    }
  });

  it.each(reaching)("can't be accessed by an outsider or a former member through %s", async (key) => {
    const { probes, findings } = await reachForTheirs(zephyrine, others, [key]);
    expect(findings).toEqual([]);
    expect(probes).toBeGreaterThan(0);
  });

  it.each(reaching)('limits its members to their role’s permissions on %s', async (key) => {
    expect((await overstepWithin(zephyrine, insiders, [key])).findings).toEqual([]);
  });

  it('has ids that get the same response as unknown ids', async () => {
    const nobodys = {
      ...theirs,
      runId: '01890000-0000-7000-8000-000000000001',
      draftId: '01890000-0000-7000-8000-000000000002',
    };
    const ask = async (at: Theirs) => ({
      run: await stranger.call('GET', `/api/runs/${at.runId}`),
      draft: await stranger.call('GET', `/api/workflows/mine/drafts/${at.draftId}`),
    });
    const [foreign, missing] = [await ask(theirs), await ask(nobodys)];
    expect(foreign.run.body).toEqual(missing.run.body);
    expect(foreign.draft.body).toEqual(missing.draft.body);
  });

  it('is unchanged after all these attempts', async () => {
    expect(await stateOf(server, theirs.orgId)).toBe(before);
  });
});

/** The declared fields that no probe sets. */
function uncovered(probes: readonly Probe[], part: 'params' | 'query' | 'body', fields: string[]): string[] {
  const filled = new Set(probes.flatMap((probe) => Object.keys(probe[part] ?? {})));
  return fields.filter((field) => !filled.has(field));
}
