import { describe, expect, it } from 'vitest';
import { refusalOf } from './lib/layers.mjs';

const refused = [
  ['domain importing the contract', 'packages/domain/src/sla/a.ts', '@stet/contract'],
  ['domain importing Node', 'packages/domain/src/sla/a.ts', 'node:crypto'],
  ['domain importing a package', 'packages/domain/src/sla/a.ts', 'zod'],
  ['domain importing the contract by a path', 'packages/domain/src/sla/a.ts', '../../../contract/src/index.ts'],
  ['a domain module importing a later one', 'packages/domain/src/access/a.ts', '../workflows/index.ts'],
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
  ['http importing a module', 'apps/server/src/http/a.ts', '../modules/runs/index.ts'],
  ['an adapter importing the database', 'apps/server/src/adapters/a.ts', '../db/pool.ts'],
  ['an adapter importing the contract', 'apps/server/src/adapters/a.ts', '@stet/contract'],
  ['the product importing testing', 'apps/server/src/db/a.ts', '../testing/database.ts'],
  ['the product importing a test', 'packages/domain/src/runs/a.ts', './runs.test.ts'],
  ['a feature importing another', 'apps/web/src/features/drafts/api/a.ts', '../../runs/components/panel.ts'],
  ['a feature importing the styles of another', 'apps/web/src/features/drafts/a.tsx', '../runs/panel.module.css'],
  ['a test of a feature importing another', 'apps/web/src/features/drafts/a.test.ts', '../runs/panel.ts'],
  ['a feature importing a screen', 'apps/web/src/features/drafts/api/a.ts', '../../../screens/runs/screen.ts'],
  ['a screen importing another', 'apps/web/src/screens/login/a.ts', '../runs/screen.ts'],
  ['a screen importing the router', 'apps/web/src/screens/login/a.ts', '../../app/router.ts'],
  ['ui importing a feature', 'apps/web/src/ui/a.ts', '../features/runs/components/panel.ts'],
  ['ui importing a screen', 'apps/web/src/ui/a.ts', '../screens/runs/screen.ts'],
  ['ui importing a step type', 'apps/web/src/ui/a.ts', '../step-types/registry.ts'],
  ['a step type importing a feature', 'apps/web/src/step-types/manual/a.ts', '../../features/runs/components/panel.ts'],
  ['lib importing a feature', 'apps/web/src/lib/a.ts', '../features/runs/components/panel.ts'],
  ['lib importing a screen', 'apps/web/src/lib/a.ts', '../screens/runs/screen.ts'],
];

const allowed = [
  ['packages/domain/src/runs/a.ts', '../sla/index.ts'],
  ['packages/domain/src/sla/a.ts', '@noble/hashes/sha2'],
  ['packages/domain/src/sla/a.test.ts', 'fast-check'],
  ['packages/contract/src/a.ts', '@stet/domain/runs'],
  ['packages/contract/src/a.ts', 'zod'],
  ['apps/server/src/modules/audit/a.ts', '../runs/index.ts'],
  ['apps/server/src/modules/runs/a.ts', './complete-step.ts'],
  ['apps/server/src/modules/runs/a.ts', '@stet/contract'],
  ['apps/server/src/modules/runs/a.ts', '../../http/bind.ts'],
  ['apps/server/src/modules/runs/a.test.ts', '../../testing/database.ts'],
  ['apps/server/src/modules/runs/a.test.ts', '../../app.ts'],
  ['apps/server/src/adapters/a.ts', '../kernel/clock.ts'],
  ['apps/server/src/adapters/a.ts', '@stet/domain/runs'],
  ['apps/server/src/main.ts', './adapters/mail.ts'],
  ['apps/web/src/screens/login/a.ts', '../../features/runs/components/panel.ts'],
  ['apps/web/src/features/runs/api/a.ts', '../components/panel.ts'],
  ['apps/web/src/features/runs/api/a.ts', '../../../step-types/registry.ts'],
  ['apps/web/src/features/runs/api/a.ts', '@stet/contract'],
  ['apps/web/src/features/runs/a.test.ts', '../../testing/records.ts'],
  ['apps/web/src/features/runs/a.test.ts', './components/panel.ts'],
  ['apps/web/src/app/a.ts', '../screens/runs/screen.ts'],
];

describe('the layers', () => {
  it.each(refused)('refuse %s', (_, file, specifier) => {
    expect(refusalOf(file, specifier)).toBeTypeOf('string');
  });

  it.each(allowed)('allow %s to import %s', (file, specifier) => {
    expect(refusalOf(file, specifier)).toBeUndefined();
  });
});
