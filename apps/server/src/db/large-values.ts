/** Minimum length in bytes of a value that is sent without copying it. */
export const LARGE_BYTES = 64 * 1024;

type BindConfig = { statement: string; values: readonly unknown[]; valueMapper: (value: unknown) => unknown };

export const hasLargeValue = (values: readonly unknown[]): boolean =>
  values.some((value) => Buffer.isBuffer(value) && value.length >= LARGE_BYTES);

/**
 * Returns the parts of a Bind message (PostgreSQL's frontend protocol, version 3). Each value is a separate part. `pg`
 * would copy a large one twice, and the copies would stay in memory until the next garbage collection. The caller must
 * not change a value before the statement has ended.
 */
export function bindMessage({ statement, values, valueMapper }: BindConfig): Buffer[] {
  const mapped = values.map(valueMapper).map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const formats = int16s(values.length, ...values.map((value) => (Buffer.isBuffer(value) ? 1 : 0)), values.length);
  const parts: Buffer[] = [Buffer.from(`\0${statement}\0`), formats];
  for (const value of mapped) {
    parts.push(int32(Buffer.isBuffer(value) ? value.length : -1));
    if (Buffer.isBuffer(value)) parts.push(value);
  }
  // All results are in text format.
  parts.push(int16s(1, 0));
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return [Buffer.from('B'), int32(length), ...parts];
}

function int16s(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  numbers.forEach((number, at) => bytes.writeInt16BE(number, 2 * at));
  return bytes;
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}
