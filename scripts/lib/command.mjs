/** A failure that is shown as one sentence, without a stack trace. */
export class CommandError extends Error {}

/**
 * Runs a command's body. If it throws a `CommandError`, prints it and exits with 1.
 * @param {() => Promise<void>} body
 */
export async function runCommand(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}
