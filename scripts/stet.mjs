#!/usr/bin/env node
// npm run stet: the installation's command line. First installs missing packages and builds stale targets.
import { pathToFileURL } from 'node:url';
import { CLI_ENTRY, ensureBuilt } from './lib/build.mjs';
import { command } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';

// Standard output is only for the command.
console.log = console.error;
await command(async () => {
  await ensureInstalled('running');
  await ensureBuilt(['server']);
});
process.setSourceMapsEnabled(true);
await import(pathToFileURL(CLI_ENTRY).href);
