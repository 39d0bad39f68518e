/** What came of one attack, for one line of the table. */
export type Outcome = {
  attack: string;
  /** What was tried, with figures. */
  tried: string;
  /** How it was met. */
  met: string;
  /** What must not have happened; each is a defect. */
  findings: string[];
  /** Why nothing was tried, where something that it takes is missing here: neither held nor failed. */
  notProven?: string;
};

export type Attack = { name: string; run: () => Promise<Outcome[]> };

/** Resolves to the answer, or rejects in words once the time is over: what hangs is a finding, not a wait. */
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
