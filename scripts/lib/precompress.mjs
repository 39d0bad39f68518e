import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

const COMPRESSIBLE = /\.(?:js|css|html|svg|json|txt|webmanifest|map)$/;
const SMALLEST_BYTES = 1_000;

/**
 * Writes a `.br` and a `.gz` file beside each text file of at least 1000 bytes, so that the server never has to
 * compress files.
 * @param {string} directory
 */
export async function precompress(directory) {
  const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true });
  await Promise.all(
    files
      .filter((file) => file.isFile() && COMPRESSIBLE.test(file.name))
      .map((file) => compressFile(path.join(file.parentPath, file.name))),
  );
}

/** @param {string} file */
async function compressFile(file) {
  const content = await fs.promises.readFile(file);
  if (content.length < SMALLEST_BYTES) return;
  const [small, smaller] = await Promise.all([gzip(content, { level: 9 }), brotli(content)]);
  await fs.promises.writeFile(`${file}.gz`, small);
  await fs.promises.writeFile(`${file}.br`, smaller);
}
