#!/usr/bin/env node
// npm run stet: the command line. First installs missing packages, and builds the server if it is out of date.
import { pathToFileURL } from 'node:url';
import { CLI_ENTRY, ensureBuilt } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';

// Only the command itself may write to standard output.
console.log = console.error;
await runCommand(async () => {
  await ensureInstalled('running');
  await ensureBuilt(['server']);
});
process.setSourceMapsEnabled(true);
await import(pathToFileURL(CLI_ENTRY).href);
