// Installs what package-lock.json names, unless it is installed already.
import { command } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';

await command(ensureInstalled);
