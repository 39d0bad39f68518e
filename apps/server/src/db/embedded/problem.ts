/** Reasons why the embedded PostgreSQL can't be started, each with the exit code of the process. */
const EXIT_CODES = {
  in_use: 75,
  unsupported_platform: 69,
  no_account: 77,
  not_owned: 77,
  unreachable: 78,
  other_version: 78,
  start_failed: 70,
} as const;

type EmbeddedPostgresReason = keyof typeof EXIT_CODES;

/**
 * A failure whose `message` is a sentence for the person at the terminal. It should be printed without a stack trace.
 */
export class EmbeddedPostgresProblem extends Error {
  override readonly name = 'EmbeddedPostgresProblem';
  readonly reason: EmbeddedPostgresReason;

  constructor(reason: EmbeddedPostgresReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  get exitCode(): number {
    return EXIT_CODES[this.reason];
  }
}
