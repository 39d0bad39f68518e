const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{3})(\d{3})Z$/;

/** Returns a time in microseconds since 1970 as ISO 8601 in UTC: `2026-11-21T03:12:44.123456Z`. */
export function momentText(at: bigint): string {
  const rest = ((at % 1000n) + 1000n) % 1000n;
  const ms = new Date(Number((at - rest) / 1000n)).toISOString();
  return `${ms.slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}

/** Reads text that `momentText` wrote; null for any other text, including days that don't exist. */
export function readMoment(text: string): bigint | null {
  const [, seconds, ms, rest] = FORM.exec(text) ?? [];
  if (seconds === undefined || ms === undefined || rest === undefined) return null;
  const time = Date.parse(`${seconds}.${ms}Z`);
  if (Number.isNaN(time)) return null;
  const at = BigInt(time) * 1000n + BigInt(rest);
  return momentText(at) === text ? at : null;
}
