// npm run test:attacks [-- --only isolation]: attacks a server in the most common ways; see bench/attacks/main.ts.
import { ensureBuilt } from './lib/build.mjs';
import { findChromium } from './lib/chromium.mjs';
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runNode } from './lib/run-program.mjs';

await runCommand(async () => {
  await ensureInstalled('everything');
  await ensureBuilt();
  const args = ['bench/attacks/main.ts', ...process.argv.slice(2)];
  const chromium = findChromium();
  const env = chromium ? { CHROMIUM_PATH: chromium } : {};
  const { code } = await runNode('node_modules/tsx/dist/cli.mjs', args, { minutes: 150, env });
  process.exitCode = code;
});
