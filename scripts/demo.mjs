// npm run demo: like npm start, but with a separate data directory (unless DATA_DIR is set), which the server fills
// with a demo organization.
import { pathToFileURL } from 'node:url';
import { DEMO_ENTRY, ensureBuilt } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { endWithNpm } from './lib/end-with-npm.mjs';
import { ensureInstalled } from './lib/install.mjs';

await runCommand(async () => {
  await ensureInstalled('running');
  await ensureBuilt();
});
process.env.DATA_DIR ||= './data-demo';
process.env.STET_DEMO = '1';
process.setSourceMapsEnabled(true);
endWithNpm();
await import(pathToFileURL(DEMO_ENTRY).href);
