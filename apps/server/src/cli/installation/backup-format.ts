import { z } from 'zod';

/**
 * A backup is a gzip of lines of JSON: a header, files, tables with their rows, sequences, waiting jobs, and an end with the
 * SHA-256 of all before it. Rows are lists of PostgreSQL's own texts, so that they come back to the bit.
 */
export const FORMAT = 1;

export const header = z.object({
  type: z.literal('header'),
  format: z.number(),
  /** The moment of the snapshot, by the database's clock. */
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ number: z.number(), name: z.string(), sha256: z.string() })),
  /** Whether SECRET_KEY is among the files, or was set in the environment and has to be set again. */
  secretKey: z.enum(['file', 'environment']),
  /** A short name of that secret, by which a restore sees whether it is the same one; absent in older backups. */
  secretId: z.string().nullable().optional(),
});
export type Header = z.infer<typeof header>;

const line = z.discriminatedUnion('type', [
  header,
  /** A piece of a file below the data directory; further pieces of the same path go behind it. */
  z.object({
    type: z.literal('file'),
    path: z.string().regex(/^(?:keys|checkpoints|mail)\/[^/\0]+$/),
    mode: z.number().int(),
    base64: z.string(),
  }),
  /** The rows that follow are of this table. */
  z.object({ type: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ type: z.literal('sequence'), name: z.string(), value: z.string(), called: z.boolean() }),
  /** What a server had still to do; it is done by the server that starts on the restored copy. */
  z.object({
    type: z.literal('job'),
    task: z.string(),
    payload: z.string(),
    runAt: z.string(),
    key: z.string().nullable(),
  }),
  z.object({
    type: z.literal('end'),
    tables: z.number(),
    rows: z.number(),
    files: z.number(),
    jobs: z.number(),
    sha256: z.string(),
  }),
]);
export type BackupLine = z.infer<typeof line>;
export type BackupEnd = Extract<BackupLine, { type: 'end' }>;
export type Row = (string | null)[];

/** Reads a line: a row is a list, everything else says what it is. Throws on anything else. */
export function readBackupLine(text: string): BackupLine | Row {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? (value as Row) : line.parse(value);
}
