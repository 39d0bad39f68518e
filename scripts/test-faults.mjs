// npm run test:faults [-- --only=connections-cut]: injects faults into servers while clients work, and checks for lost
// or duplicated changes. A full run writes its part of docs/reliability.md.
import { ensureBuilt } from './lib/build.mjs';
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runNode } from './lib/run-program.mjs';

await runCommand(async () => {
  await ensureInstalled('everything');
  await ensureBuilt(['server']);
  const { code } = await runNode('node_modules/tsx/dist/cli.mjs', ['bench/faults.ts', ...process.argv.slice(2)], {
    minutes: 30,
  });
  process.exitCode = code ?? 1;
});
