/** The result of one attack, a row of the table. */
export type Outcome = {
  attack: string;
  /** The attempts, with figures. */
  tried: string;
  /** How the server responded. */
  result: string;
  /** Results that must not occur; each is a defect. */
  findings: string[];
  /**
   * The reason why the attack couldn't be tried: a requirement that this machine lacks. Such an attack has neither
   * passed nor failed.
   */
  notProven?: string;
};

export type Attack = { name: string; run: () => Promise<Outcome[]> };

/**
 * Resolves to the result of the work. Rejects with a sentence after the time limit, so that a hanging request is a
 * finding.
 */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
