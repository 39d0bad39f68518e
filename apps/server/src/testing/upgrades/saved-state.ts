import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** The data that a server of an earlier commit wrote, and its responses before it stopped. */
export type SavedState = {
  /** 40 hex digits. */
  commit: string;
  /** The commit's last migration, for example `0081_people_of_a_run`. */
  schema: string;
  /** Everyone's password is `PASSWORD`. The first person is the owner. */
  people: { email: string; name: string }[];
  versions: { version: number | null; status: string; contentHash: string }[];
  runs: {
    id: string;
    name: string;
    status: string;
    steps: { id: string; state: string; output: unknown; completedAt: string | null }[];
  }[];
  /** Parts of the responses to the owner's GET requests. Absent in states that were saved before this was recorded. */
  answers?: { path: string; answer: unknown }[];
  /** Files of the data directory by path, in base64. */
  files: Record<string, string>;
  /** A dump of the database. */
  sql: string;
};

export const PASSWORD = 'a long enough one';

export const STATES_FOLDER = fileURLToPath(new URL('./states', import.meta.url));

/** The file names of all saved states, oldest schema first. */
export const stateFiles = (): string[] => readdirSync(STATES_FOLDER).sort();

/** Reads a state. Older states are compressed with gzip. */
export function readState(file: string): SavedState {
  const bytes = readFileSync(join(STATES_FOLDER, file));
  const text = file.endsWith('.gz') ? gunzipSync(bytes) : brotliDecompressSync(bytes);
  return JSON.parse(text.toString('utf8')) as SavedState;
}
