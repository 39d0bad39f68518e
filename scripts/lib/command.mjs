/** A failure shown as one sentence, without a stack. */
export class Problem extends Error {}

/**
 * Runs a command's body; a `Problem` is printed and ends the process with 1.
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
