import type { TestServer } from '../server.ts';

const columns = new WeakMap<TestServer, Promise<{ table: string; key: string; moments: string[] }[]>>();

/** All columns with times in an organization's tables, except the audit trail, whose chain must not change. */
function momentsOf(server: TestServer) {
  let found = columns.get(server);
  if (!found) {
    found = server.sql<{ table: string; key: string; moments: string[] }>(
      `select c.table_name as table, case when c.table_name = 'organizations' then 'id' else 'org_id' end as key,
              array_agg(c.column_name::text) as moments
       from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
       where c.table_schema = current_schema() and c.data_type = 'timestamp with time zone' and c.table_name not like 'audit%'
         and (c.table_name = 'organizations'
              or exists (select from information_schema.columns k where k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = 'org_id'))
       group by 1, 2`,
    );
    columns.set(server, found);
  }
  return found;
}

/** Shifts an organization's stored times back by `days`, as if that much time had passed. */
export async function letDaysPass(server: TestServer, orgId: string, days: number): Promise<void> {
  const statements = (await momentsOf(server)).map(({ table, key, moments }) => {
    const moved = moments.map((each) => `"${each}" = "${each}" - interval '${days} days'`);
    return `update "${table}" set ${moved.join(', ')} where "${key}" = '${orgId}';`;
  });
  // The triggers guard the product's own changes and would refuse this one, so they are off.
  await server.sql(`begin; set local session_replication_role = replica; ${statements.join(' ')} commit;`);
}
