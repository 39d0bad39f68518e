// npm run build: builds the web app and the server, each only if its sources changed.
import { ensureBuilt } from './lib/build.mjs';
import { command } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';

await command(async () => {
  await ensureInstalled('running');
  await ensureBuilt();
});
