import pg from 'pg';
import { POLICY_MUTANTS, probeTable, tenantTables } from '../../apps/server/src/testing/isolation/table-probes.ts';
import type { TestServer } from '../../apps/server/src/testing/server.ts';
import type { Cast } from './isolation.ts';
import type { Outcome } from './outcome.ts';

/**
 * Queries every table that has a row-level policy directly, without the server: first with its policy unchanged, then
 * with the policy switched off or weakened in different ways.
 */
export async function attackPolicies(server: TestServer, { zephyrine }: Cast): Promise<Outcome[]> {
  const { orgId: theirs, myOrgId: mine } = zephyrine.theirs;
  const owner = new pg.Client(server.database.connection);
  await owner.connect();
  try {
    const findings: string[] = [];
    const missed: string[] = [];
    let mutants = 0;
    const tables = await tenantTables(owner);
    for (const table of tables) {
      const asIs = await probeTable(owner, { table, mine, theirs });
      findings.push(...asIs.findings.map((finding) => `${table}: ${finding}`));
      for (const mutant of POLICY_MUTANTS) {
        // The role has no grant for this write, so no policy has to prevent it.
        if (!asIs.writable && mutant.name === 'allows writing every row') continue;
        mutants += 1;
        const weaker = await probeTable(owner, { table, mine, theirs }, mutant);
        if (weaker.findings.length === 0) missed.push(`not detected: ${table} ${mutant.name}`);
      }
    }
    return [
      {
        attack: 'Row-level security: other organizations’ rows, with SQL in the server’s role',
        tried: `${tables.length} tables: select, insert, move, update, delete`,
        result: 'no row affected, or refused',
        findings,
      },
      {
        attack: 'Each policy disabled or weakened',
        tried: `${mutants} weakened policies, one at a time`,
        result: `${mutants - missed.length} of ${mutants} detected by the same statements`,
        findings: missed,
      },
    ];
  } finally {
    await owner.end();
  }
}
