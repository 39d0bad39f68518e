import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { fromRoot } from './lib/paths.mjs';
import { makeSbom } from './lib/sbom.mjs';

const manifest = (/** @type {string} */ folder) => JSON.parse(readFileSync(fromRoot(folder, 'package.json'), 'utf8'));

describe('the bill of materials', () => {
  /** @type {Awaited<ReturnType<typeof makeSbom>>} */
  let sbom;
  /** @type {string[]} */
  let packages;
  beforeAll(async () => {
    sbom = await makeSbom();
    packages = sbom.components.map(({ purl }) => decodeURIComponent(purl));
  });

  it('is a CycloneDX document of the product with its version', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.[5-9]$/) });
    expect(sbom.metadata.component).toMatchObject({ name: 'stet', version: manifest('').version, type: 'application' });
  });

  it.each(['apps/server', 'apps/web', 'packages/domain', 'packages/contract', 'packages/presentation'])(
    'contains each dependency of %s in its pinned version, with a hash if it isn’t ours',
    (folder) => {
      const { name, version, dependencies = {}, optionalDependencies = {} } = manifest(folder);
      for (const [dependency, pinned] of Object.entries({ [name]: version, ...dependencies, ...optionalDependencies }))
        expect(packages).toContain(`pkg:npm/${dependency}@${pinned}`);
      const others = sbom.components.filter(({ purl }) => !purl.includes('%40stet'));
      expect(others.every((each) => 'hashes' in each)).toBe(true);
    },
  );

  it('contains everything that its packages need', () => {
    const { packages: lock } = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8'));
    const names = new Set(packages.map((each) => each.slice('pkg:npm/'.length, each.lastIndexOf('@'))));
    const missing = packages
      .map((each) => each.slice('pkg:npm/'.length, each.lastIndexOf('@')))
      .flatMap((name) => Object.keys(lock[`node_modules/${name}`]?.dependencies ?? {}))
      .filter((name) => !names.has(name));
    expect(missing).toEqual([]);
    expect(packages.length).toBeGreaterThan(300);
  });

  it('contains no package that is only used to develop Stet', () => {
    for (const name of ['vitest', '@playwright/test', 'typescript', 'bpmn-engine', '@stet/bench', '@stet/e2e'])
      expect(packages.filter((each) => each.startsWith(`pkg:npm/${name}@`))).toEqual([]);
  });
});
