// npm run check: what can be told without running the product: types, format, lint, direction of imports.
import { command } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { chooseStages, runStages } from './lib/run-stages.mjs';
import { STAGES } from './lib/stages.mjs';

await command(async () => {
  await ensureInstalled('everything');
  process.exitCode = (await runStages(chooseStages(STAGES, ['--only=types,format,lint,dependencies']))) ? 0 : 1;
});
