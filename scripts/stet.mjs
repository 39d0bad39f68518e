#!/usr/bin/env node
// npm run stet: the command line of the installation. Installs what is missing and builds what is stale first.
import { pathToFileURL } from 'node:url';
import { CLI_ENTRY, ensureBuilt } from './lib/build.mjs';
import { command } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';

// Standard output belongs to the command alone.
console.log = console.error;
await command(async () => {
  await ensureInstalled('running');
  await ensureBuilt(['server']);
});
process.setSourceMapsEnabled(true);
await import(pathToFileURL(CLI_ENTRY).href);
