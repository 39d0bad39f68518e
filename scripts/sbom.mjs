// npm run -s sbom > stet.cdx.json: prints a bill of materials (CycloneDX) of a running installation.
import { runCommand } from './lib/command.mjs';
import { makeSbom } from './lib/sbom.mjs';

// Without a listener, a closed pipe would end the process with a stack trace.
process.stdout.on('error', () => {});
await runCommand(async () => {
  process.stdout.write(`${JSON.stringify(await makeSbom(), null, 2)}\n`);
});
