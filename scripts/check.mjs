// npm run check: the checks that don't run the product: types, format, lint.
import { command } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { chooseStages, runStages } from './lib/run-stages.mjs';
import { STAGES } from './lib/stages.mjs';

await command(async () => {
  await ensureInstalled('everything');
  process.exitCode = (await runStages(chooseStages(STAGES, ['--only=types,format,lint']))) ? 0 : 1;
});
