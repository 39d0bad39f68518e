// npm start: installs missing packages, builds targets that are out of date, and runs the server in this process.
import { pathToFileURL } from 'node:url';
import { ensureBuilt, SERVER_ENTRY } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { endWithNpm } from './lib/end-with-npm.mjs';
import { ensureInstalled } from './lib/install.mjs';

await runCommand(async () => {
  await ensureInstalled('running');
  await ensureBuilt();
});
process.setSourceMapsEnabled(true);
endWithNpm();
// The server runs in this process, so that signals and the exit code are its own.
await import(pathToFileURL(SERVER_ENTRY).href);
