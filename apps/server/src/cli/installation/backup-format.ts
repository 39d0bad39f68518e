import { z } from 'zod';

/**
 * A backup consists of gzipped JSON lines, which may be encrypted: a header, files, tables with their rows, sequences,
 * pending jobs, and an end line with the SHA-256 of everything before it. Rows are lists of values in PostgreSQL's own
 * text format, so that they are restored exactly.
 */
export const FORMAT = 1;

export const header = z.object({
  type: z.literal('header'),
  format: z.number(),
  /** When the snapshot was taken, by the database's clock. */
  at: z.string(),
  postgres: z.string(),
  migrations: z.array(z.object({ number: z.number(), name: z.string(), sha256: z.string() })),
  /** `file` if SECRET_KEY is among the files. `environment` if it came from there and has to be set again. */
  secretKey: z.enum(['file', 'environment']),
  /** A short id of SECRET_KEY, so that a restore can check that the secret is the same. Absent in older backups. */
  secretId: z.string().nullable().optional(),
});
export type Header = z.infer<typeof header>;

const line = z.discriminatedUnion('type', [
  header,
  /**
   * A part of a file, with its path relative to the data directory. Later parts with the same path are appended to it.
   */
  z.object({
    type: z.literal('file'),
    path: z.string().regex(/^(?:keys|checkpoints|mail)\/[^/\0]+$/),
    mode: z.number().int(),
    base64: z.string(),
  }),
  /** The start of a table, to which the rows that follow belong. */
  z.object({ type: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.object({ type: z.literal('sequence'), name: z.string(), value: z.string(), called: z.boolean() }),
  /** A pending job. The server that starts on the restored copy executes it. */
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

/** Parses a line. A list is a row, and an object has a `type`. Throws on anything else. */
export function readBackupLine(text: string): BackupLine | Row {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? (value as Row) : line.parse(value);
}
