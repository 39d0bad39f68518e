import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export type Migration = { number: number; name: string; sql: string; sha256: string };

/** The migrations beside this file, both in the sources and in the bundle. */
export const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('./migrations', import.meta.url));

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/;

/**
 * Reads the migrations of a directory in the order of their numbers. Throws on an invalid file name and on a duplicate
 * number.
 */
export function readMigrations(directory: string): Migration[] {
  const migrations = fileNames(directory).map((name) => readMigration(directory, name));
  migrations.forEach((migration, index) => {
    const before = migrations[index - 1];
    if (before?.number === migration.number) {
      throw new Error(`Migrations ${before.name} and ${migration.name} have the same number.`);
    }
  });
  return migrations;
}

/**
 * The name of the last migration in a directory, for example `0188_notes` for `0188_notes.sql`. It identifies the
 * schema that this version needs.
 */
export const latestMigration = (directory: string): string => (fileNames(directory).at(-1) ?? '').replace(/\.sql$/, '');

const fileNames = (directory: string): string[] =>
  fs
    .readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort();

function readMigration(directory: string, name: string): Migration {
  const number = Number(NAME.exec(name)?.[1]);
  if (!(number > 0)) throw new Error(`Migration ${name} must be named like 0001_what_it_does.sql.`);
  // A checkout may change line endings, which doesn't count as a change to the file.
  const sql = fs.readFileSync(path.join(directory, name), 'utf8').replaceAll('\r\n', '\n');
  return { number, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}
