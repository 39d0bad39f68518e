import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @param {...string} parts of a path below the root */
export const fromRoot = (...parts) => path.join(ROOT, ...parts);
