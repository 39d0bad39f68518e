// npm test [-- --only=unit,lint]: runs the stages in lib/stages.mjs, and ends with a line that counts the tests.
import { runCommand } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { useMemoryForTemporaryFiles } from './lib/memory-folder.mjs';
import { chooseStages, runStages } from './lib/run-stages.mjs';
import { STAGES } from './lib/stages.mjs';

await runCommand(async () => {
  const stages = chooseStages(STAGES, process.argv.slice(2));
  await ensureInstalled('everything');
  useMemoryForTemporaryFiles();
  process.exitCode = (await runStages(stages)) ? 0 : 1;
});
