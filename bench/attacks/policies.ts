import pg from 'pg';
import { POLICY_MUTANTS, probeTable, tenantTables } from '../../apps/server/src/testing/isolation/table-probes.ts';
import type { TestServer } from '../../apps/server/src/testing/server.ts';
import type { Cast } from './isolation.ts';
import type { Outcome } from './outcome.ts';

/** Asks every table past the server, with each policy as it is and with each switched off or weakened, one at a time. */
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
        // What the role has no right to write, no policy has to keep it from writing.
        if (!asIs.writable && mutant.name === 'lets every row be written') continue;
        mutants += 1;
        const weaker = await probeTable(owner, { table, mine, theirs }, mutant);
        if (weaker.findings.length === 0) missed.push(`not noticed: ${table} ${mutant.name}`);
      }
    }
    return [
      {
        attack: 'Row-level security: another’s rows by SQL as the server’s role',
        tried: `${tables.length} tables: see, insert, move, change, delete`,
        met: 'no row met, or refused',
        findings,
      },
      {
        attack: 'Each policy switched off or weakened',
        tried: `${mutants} weakened policies, one at a time`,
        met: `${mutants - missed.length} of ${mutants} noticed by the same statements`,
        findings: missed,
      },
    ];
  } finally {
    await owner.end();
  }
}
