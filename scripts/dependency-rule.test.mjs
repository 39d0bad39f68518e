import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDependencies } from './lib/dependency-rule.mjs';
import { ROOT } from './lib/paths.mjs';

/** What the snippets import; each is in the place that its name tells. */
const TARGETS = [
  'packages/domain/src/runs/index.ts',
  'packages/domain/src/runs/runs.test.ts',
  'packages/contract/src/index.ts',
  'apps/server/src/app.ts',
  'apps/server/src/kernel/clock.ts',
  'apps/server/src/db/pool.ts',
  'apps/server/src/http/bind.ts',
  'apps/server/src/adapters/mail.ts',
  'apps/server/src/testing/database.ts',
  'apps/server/src/modules/runs/reads.ts',
  'apps/server/src/modules/runs/complete-step.ts',
  'apps/web/src/app/router.ts',
  'apps/web/src/ui/button.ts',
  'apps/web/src/lib/paths.ts',
  'apps/web/src/features/runs/parts/panel.ts',
  'apps/web/src/screens/runs/screen.ts',
];

const roots = [];

afterEach(() => {
  for (const root of roots.splice(0)) fs.rmSync(root, { recursive: true, force: true });
});

/** @param {Record<string, string>} sources */
async function problemsOf(sources) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'stet-dependencies-'));
  roots.push(root);
  const targets = Object.fromEntries(TARGETS.map((file) => [file, 'export const it = 1;\n']));
  for (const [file, text] of Object.entries({ ...targets, ...sources })) {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), text);
  }
  return (await checkDependencies(root)).problems;
}

const refused = [
  ['domain importing the contract', 'packages/domain/src/sla/a.ts', '@stet/contract'],
  ['domain importing Node', 'packages/domain/src/sla/a.ts', 'node:crypto'],
  ['domain importing a package', 'packages/domain/src/sla/a.ts', 'zod'],
  ['domain importing the contract by a path', 'packages/domain/src/sla/a.ts', '../../../contract/src/index.ts'],
  ['contract importing the server', 'packages/contract/src/a.ts', '../../../apps/server/src/kernel/clock.ts'],
  ['contract importing Node', 'packages/contract/src/a.ts', 'node:fs'],
  ['web importing the server', 'apps/web/src/lib/a.ts', '../../../server/src/kernel/clock.ts'],
  ['web importing the server by name', 'apps/web/src/main.ts', '@stet/server'],
  ['web importing Node', 'apps/web/src/lib/a.ts', 'node:fs'],
  ['server importing the web', 'apps/server/src/app2.ts', '@stet/web'],
  ['a package reached by a path', 'apps/server/src/http/a.ts', '../../../../packages/domain/src/runs/index.ts'],
  ['a module importing the inside of another', 'apps/server/src/modules/audit/a.ts', '../runs/complete-step.ts'],
  ['a module importing the composition', 'apps/server/src/modules/audit/a.ts', '../../app.ts'],
  ['a module importing an adapter', 'apps/server/src/modules/audit/a.ts', '../../adapters/mail.ts'],
  ['kernel importing the database', 'apps/server/src/kernel/a.ts', '../db/pool.ts'],
  ['http importing a module', 'apps/server/src/http/a.ts', '../modules/runs/reads.ts'],
  ['an adapter importing the database', 'apps/server/src/adapters/a.ts', '../db/pool.ts'],
  ['an adapter importing the contract', 'apps/server/src/adapters/a.ts', '@stet/contract'],
  ['the product importing testing', 'apps/server/src/db/a.ts', '../testing/database.ts'],
  ['the product importing a test', 'packages/domain/src/runs/a.ts', './runs.test.ts'],
  ['a feature importing another', 'apps/web/src/features/drafts/api/a.ts', '../../runs/parts/panel.ts'],
  ['a feature importing a screen', 'apps/web/src/features/drafts/api/a.ts', '../../../screens/runs/screen.ts'],
  ['a screen importing another', 'apps/web/src/screens/login/a.ts', '../runs/screen.ts'],
  ['a screen importing the router', 'apps/web/src/screens/login/a.ts', '../../app/router.ts'],
  ['ui importing a feature', 'apps/web/src/ui/a.ts', '../features/runs/parts/panel.ts'],
  ['ui importing a screen', 'apps/web/src/ui/a.ts', '../screens/runs/screen.ts'],
  ['lib importing a feature', 'apps/web/src/lib/a.ts', '../features/runs/parts/panel.ts'],
  ['lib importing a screen', 'apps/web/src/lib/a.ts', '../screens/runs/screen.ts'],
];

const allowed = [
  ['packages/domain/src/sla/a.ts', '../runs/index.ts'],
  ['packages/domain/src/sla/a.ts', '@noble/hashes/sha2'],
  ['packages/domain/src/sla/a.test.ts', 'fast-check'],
  ['packages/contract/src/a.ts', '@stet/domain/runs'],
  ['packages/contract/src/a.ts', 'zod'],
  ['apps/server/src/modules/audit/a.ts', '../runs/reads.ts'],
  ['apps/server/src/modules/runs/a.ts', './complete-step.ts'],
  ['apps/server/src/modules/runs/a.ts', '@stet/contract'],
  ['apps/server/src/modules/runs/a.ts', '../../http/bind.ts'],
  ['apps/server/src/modules/runs/a.test.ts', '../../testing/database.ts'],
  ['apps/server/src/modules/runs/a.test.ts', '../../app.ts'],
  ['apps/server/src/adapters/a.ts', '../kernel/clock.ts'],
  ['apps/server/src/adapters/a.ts', '@stet/domain/runs'],
  ['apps/server/src/main.ts', './adapters/mail.ts'],
  ['apps/web/src/screens/login/a.ts', '../../features/runs/parts/panel.ts'],
  ['apps/web/src/features/runs/api/a.ts', '../parts/panel.ts'],
  ['apps/web/src/features/runs/api/a.ts', '@stet/contract'],
  ['apps/web/src/app/a.ts', '../screens/runs/screen.ts'],
];

describe('the dependency rule', () => {
  it.each(refused)('refuses %s', async (_, file, specifier) => {
    const problems = await problemsOf({ [file]: `\nimport { it } from '${specifier}';\nexport const a = it;\n` });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`${file}:2 imports ${specifier}: `);
  });

  it.each(allowed)('lets %s import %s', async (file, specifier) => {
    expect(await problemsOf({ [file]: `import { it } from '${specifier}';\nexport const a = it;\n` })).toEqual([]);
  });

  it.each([
    ['a type', "import type { It } from '../db/pool.ts';"],
    ['a re-export', "export * from '../db/pool.ts';"],
    ['a dynamic import', "export const late = () => import('../db/pool.ts');"],
    ['an import in a type', "export type Late = import('../db/pool.ts').It;"],
    ['an import over several lines', "import {\n  it,\n} from '../db/pool.ts';\nexport const a = it;"],
  ])('sees %s', async (_, text) => {
    expect(await problemsOf({ 'apps/server/src/kernel/a.ts': `${text}\n` })).toHaveLength(1);
  });

  it('does not take text for an import', async () => {
    const text = "// import { it } from '../db/pool.ts';\nexport const a = `import { it } from '../db/pool.ts';`;\n";
    expect(await problemsOf({ 'apps/server/src/kernel/a.ts': text })).toEqual([]);
  });

  it('finds a cycle, also one of types and over packages of rooms, and tells its way', async () => {
    const problems = await problemsOf({
      'packages/domain/src/sla/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
      'packages/domain/src/sla/b.ts': "import type { C } from '../drafts/c.ts';\nexport type B = C;\n",
      'packages/domain/src/drafts/c.ts': "import type { A } from '../sla/a.ts';\nexport type C = A | 1;\n",
    });
    expect(problems).toEqual([
      'a cycle: packages/domain/src/drafts/c.ts → packages/domain/src/sla/a.ts → packages/domain/src/sla/b.ts → packages/domain/src/drafts/c.ts',
    ]);
  });

  it('finds a file that imports itself', async () => {
    const file = 'packages/domain/src/sla/a.ts';
    const problems = await problemsOf({
      [file]: "import { a } from './a.ts';\nexport const b = () => a;\nexport const a = 1;\n",
    });
    expect(problems).toEqual([`a cycle: ${file} → ${file}`]);
  });

  it('reads the sources of this repository', async () => {
    expect((await checkDependencies(ROOT)).files).toBeGreaterThan(50);
  });
});
