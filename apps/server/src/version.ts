import { existsSync, readFileSync } from 'node:fs';
import manifest from '../package.json' with { type: 'json' };
import { MIGRATIONS_DIRECTORY, latestMigration } from './db/migration-files.ts';
import type { Version } from './kernel/deps.ts';

// Written by the build (`scripts/lib/build.mjs`). Missing if the server runs from source.
const COMMIT_FILE = new URL('./commit', import.meta.url);

export const version: Version = {
  version: manifest.version,
  commit: existsSync(COMMIT_FILE) ? readFileSync(COMMIT_FILE, 'utf8').trim() || null : null,
  schema: latestMigration(MIGRATIONS_DIRECTORY),
};

/** The version for people, for example `0.1.0 (commit 4b3f2a1c9d8e, schema 0188_notes)`. */
export const versionInWords = ({ version: number, commit, schema }: Version): string =>
  `${number} (${commit === null ? '' : `commit ${commit}, `}schema ${schema})`;
