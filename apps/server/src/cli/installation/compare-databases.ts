import { createHash } from 'node:crypto';
import type pg from 'pg';
import { listTables, rowsOf } from './tables.ts';

/** For each table, the number of its rows and a digest that doesn't depend on their order. */
type Fingerprint = ReadonlyMap<string, { rows: number; digest: string }>;

/** Reads all tables, except the list of migrations, in one snapshot. */
export async function fingerprintOf(client: pg.Client): Promise<Fingerprint> {
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'`);
  await client.query('begin isolation level repeatable read, read only');
  const found = new Map<string, { rows: number; digest: string }>();
  for (const table of await listTables(client)) {
    const columns = table.columns.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const sum = Buffer.alloc(32);
    let rows = 0;
    for await (const batch of rowsOf(client, { ...table, columns }))
      for (const row of batch) {
        add(sum, createHash('sha256').update(JSON.stringify(row)).digest());
        rows += 1;
      }
    found.set(table.name, { rows, digest: sum.toString('hex') });
  }
  await client.query('commit');
  return found;
}

/** Adds a digest as a 256-bit number. With XOR, two equal rows would cancel each other out. */
function add(sum: Buffer, digest: Buffer): void {
  let carry = 0;
  for (let n = sum.length - 1; n >= 0; n -= 1) {
    carry += (sum[n] ?? 0) + (digest[n] ?? 0);
    sum[n] = carry & 0xff;
    carry >>= 8;
  }
}

/**
 * Describes the differences between two databases in sentences. For each table in `more`, the second database is
 * expected to have that many additional rows, and only the number of its rows is compared.
 */
export function differences(before: Fingerprint, after: Fingerprint, more: Readonly<Record<string, number>>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [one, other] = [before.get(name), after.get(name)];
    const added = more[name] ?? 0;
    if (!one || !other) return [`${name} is in only one of the databases`];
    if (other.rows !== one.rows + added)
      return [`${name} has ${one.rows + added} rows in one and ${other.rows} in the other`];
    return added === 0 && one.digest !== other.digest ? [`${name} has different rows`] : [];
  });
}
