// npm run build: builds the web app and the server, each only if its sources changed.
import { ensureBuilt } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';

await runCommand(async () => {
  await ensureInstalled('running');
  await ensureBuilt();
});
