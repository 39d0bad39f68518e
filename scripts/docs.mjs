// npm run docs: rewrites the parts of docs/operations.md that are generated from the sources.
import { runCommand, CommandError } from './lib/command.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runNode } from './lib/run-program.mjs';

await runCommand(async () => {
  await ensureInstalled('everything');
  const tests = ['testing/configuration', 'testing/sharding', 'modules/housekeeping/housekeeping'].map(
    (name) => `apps/server/src/${name}.test.ts`,
  );
  const { code } = await runNode('node_modules/vitest/vitest.mjs', ['run', '--project', 'integration', ...tests], {
    env: { WRITE_DOCS: 'yes' },
  });
  if (code !== 0) throw new CommandError('docs/operations.md could not be written.');
});
