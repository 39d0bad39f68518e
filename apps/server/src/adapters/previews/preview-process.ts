import { FILE_LIMITS } from '@stet/domain/steps';
import { dropRoot, endWithParent } from '../unprivileged-process.ts';
import { makePreview } from './make-preview.ts';

// Makes one preview. The argument is the memory limit in megabytes. When it is ready, writes a byte, which is 1 if the
// process is still root. Then reads the image from standard input, and writes the preview, or nothing if it can't make
// one.
endWithParent({ memoryMb: Number(process.argv[2]) });
process.stdout.write(Buffer.of(dropRoot() ? 1 : 0));
const parts: Buffer[] = [];
let length = 0;
for await (const part of process.stdin) {
  parts.push(part as Buffer);
  length += (part as Buffer).length;
  if (length > FILE_LIMITS.bytes) process.exit(1);
}
const preview = makePreview(Buffer.concat(parts));
if (preview) process.stdout.write(preview);
