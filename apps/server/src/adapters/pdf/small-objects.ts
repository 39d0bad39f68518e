import { Readable } from 'node:stream';
import { createDeflate } from 'node:zlib';
import type PDFDocument from 'pdfkit';

/**
 * Writes objects that are compressed together. A tagged document has an object for each table cell. As ordinary
 * objects, these would take more space than the pages.
 */
export type SmallObjects = {
  /** Returns the number of a new object, so that others can refer to it before it is written. */
  reserve: () => number;
  write: (id: number, body: string) => void;
  /** Ends the document, and writes the table of all its objects. */
  finish: () => Promise<void>;
};

/**
 * Number of objects in one compressed stream. At most 256, because the table of objects has one byte for the position.
 */
const TOGETHER = 200;
const ROWS_AT_ONCE = 8192;
/**
 * Number of bytes for each column of the table of objects: the kind, an offset or a stream's number, and the position
 * in the stream.
 */
const ROW = { kind: 1, place: 5, position: 1 } as const;
const ROW_BYTES = ROW.kind + ROW.place + ROW.position;
const POSITIONS = 256;

type Reference = { id: number; data: Record<string, unknown>; end: (content: Buffer) => void };
type Internals = {
  ref: (data: object) => Reference;
  end: () => void;
  push: (end: null) => void;
  _write: (data: string | Uint8Array) => void;
  _finalize: () => void;
  /**
   * Offsets by object number - 1. A compressed object has a negative number, which encodes its stream and its position
   * there.
   */
  _offsets: (number | null)[];
  _offset: number;
  _waiting: number;
  _root: Reference;
  _info: Reference;
  _id: Uint8Array;
};

/** pdfkit writes only ordinary objects and their table, so this adds compressed objects and their table. */
export function openSmallObjects(document: InstanceType<typeof PDFDocument>): SmallObjects {
  const pdf = document as unknown as Internals;
  let together: { id: number; body: string }[] = [];

  const writeTogether = (): void => {
    if (together.length === 0) return;
    const bodies = together.map(({ body }) => Buffer.from(`${body}\n`, 'latin1'));
    let at = 0;
    const index = together.map(({ id }, n) => {
      const entry = `${id} ${at}`;
      at += bodies[n]?.length ?? 0;
      return entry;
    });
    const head = Buffer.from(`${index.join(' ')}\n`, 'latin1');
    const stream = pdf.ref({ Type: 'ObjStm', N: together.length, First: head.length });
    for (const [n, { id }] of together.entries()) pdf._offsets[id - 1] = -(stream.id * POSITIONS + n);
    pdf._waiting -= together.length;
    together = [];
    stream.end(Buffer.concat([head, ...bodies]));
  };

  return {
    reserve: () => pdf.ref({}).id,
    write: (id, body) => {
      together.push({ id, body });
      if (together.length === TOGETHER) writeTogether();
    },
    finish: async () => {
      writeTogether();
      pdf._finalize = () => undefined;
      pdf.end();
      await writeTable(pdf);
      pdf.push(null);
    },
  };
}

async function writeTable(pdf: Internals): Promise<void> {
  const id = pdf._offsets.length + 1;
  const start = pdf._offset;
  pdf._offsets.push(start);
  const parts: Buffer[] = [];
  for await (const part of Readable.from(rowsOf(pdf._offsets)).pipe(createDeflate())) parts.push(part as Buffer);
  const table = Buffer.concat(parts);
  const fileId = Buffer.from(pdf._id).toString('hex');
  pdf._write(
    [
      `${id} 0 obj`,
      `<</Type/XRef/Size ${id + 1}/W[${ROW.kind} ${ROW.place} ${ROW.position}]/Root ${pdf._root.id} 0 R`,
      `/Info ${pdf._info.id} 0 R/ID[<${fileId}><${fileId}>]/Length ${table.length}`,
      `/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns ${ROW_BYTES}>>>>`,
      'stream',
    ].join('\n'),
  );
  pdf._write(table);
  pdf._write(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF`);
}

/** The rows in chunks. Each byte is stored as the difference from the row above, which compresses well. */
function* rowsOf(offsets: readonly (number | null)[]): Generator<Buffer> {
  let above: Buffer = Buffer.alloc(ROW_BYTES);
  for (let from = -1; from < offsets.length; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, offsets.length);
    const chunk = Buffer.alloc((to - from) * (ROW_BYTES + 1));
    for (let n = from; n < to; n += 1) {
      const row = rowOf(n < 0 ? null : (offsets[n] ?? null));
      const at = (n - from) * (ROW_BYTES + 1);
      // 2 is PNG's filter "Up".
      chunk[at] = 2;
      for (let k = 0; k < ROW_BYTES; k += 1) chunk[at + 1 + k] = (row[k] ?? 0) - (above[k] ?? 0);
      above = row;
    }
    yield chunk;
  }
}

function rowOf(offset: number | null): Buffer {
  const row = Buffer.alloc(ROW_BYTES);
  if (offset === null) return row;
  const isTogether = offset < 0;
  row.writeUInt8(isTogether ? 2 : 1, 0);
  row.writeUIntBE(isTogether ? Math.floor(-offset / POSITIONS) : offset, ROW.kind, ROW.place);
  row.writeUInt8(isTogether ? -offset % POSITIONS : 0, ROW.kind + ROW.place);
  return row;
}
