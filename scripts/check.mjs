// npm run check: checks types, format and lint rules, without running the product.
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { chooseStages, runStages } from './lib/run-stages.mjs';
import { STAGES } from './lib/stages.mjs';

await runCommand(async () => {
  await ensureInstalled('everything');
  process.exitCode = (await runStages(chooseStages(STAGES, ['--only=types,format,lint']))) ? 0 : 1;
});
