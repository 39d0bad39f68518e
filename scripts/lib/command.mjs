/** A failure that is shown as one sentence, without a stack trace. */
export class Problem extends Error {}

/**
 * Runs the body of a command. If it throws a `Problem`, prints it and exits with 1.
 * @param {() => Promise<void>} body
 */
export async function command(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.error(`\n${error.message}`);
    process.exit(1);
  }
}
