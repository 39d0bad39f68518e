import fs from 'node:fs';
import path from 'node:path';
import { commitOf } from './build.mjs';
import { CommandError } from './command.mjs';
import { fromRoot } from './paths.mjs';
import { runProgram } from './run-program.mjs';

/** The workspaces that a running installation consists of, with our own packages that they bundle. */
const SHIPPED = ['apps/server', 'apps/web'];

/**
 * Returns a CycloneDX document of everything that a running installation consists of, from the lockfile. In
 * npm's document, the product has the name of the checkout's folder; this function corrects it and adds the commit.
 * @returns {Promise<{ metadata: { component: Record<string, unknown> }, components: { purl: string, name: string, version: string }[] }>}
 */
export async function makeSbom() {
  // --omit=dev isn't used, because it also omits runtime packages that another workspace uses only for development.
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=error'];
  const { code, output } = await runProgram(
    'npm',
    [...args, ...SHIPPED.map((workspace) => `--workspace=${workspace}`)],
    { quiet: true },
  );
  if (code !== 0) throw new CommandError(`npm could not list the packages:\n${output}`);
  const sbom = JSON.parse(output.slice(output.indexOf('{')));
  const shipped = shippedPackages();
  const isShipped = (/** @type {string} */ reference) =>
    reference.startsWith('@stet/') || reference === sbom.metadata.component['bom-ref'] || shipped.has(reference);
  sbom.components = sbom.components.filter((component) => isShipped(component['bom-ref'].split('|')[0]));
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => isShipped(ref.split('|')[0]))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => isShipped(each.split('|')[0])) }));
  const { name, version } = JSON.parse(fs.readFileSync(fromRoot('package.json'), 'utf8'));
  const commit = commitOf();
  Object.assign(sbom.metadata.component, { name, version, type: 'application' });
  if (commit !== '') sbom.metadata.component.properties.push({ name: 'stet:commit', value: commit });
  return sbom;
}

/** `name@version` of each package that a shipped workspace needs at runtime, directly or indirectly. */
function shippedPackages() {
  const { packages } = JSON.parse(fs.readFileSync(fromRoot('package-lock.json'), 'utf8'));
  /** Where Node finds a package from a folder: in the nearest `node_modules` above it. */
  const find = (/** @type {string} */ from, /** @type {string} */ name) => {
    for (let folder = from; ; folder = path.posix.dirname(folder)) {
      const place = path.posix.join(folder, 'node_modules', name);
      if (packages[place]) return packages[place].link ? packages[place].resolved : place;
      if (folder === '.') return undefined;
    }
  };
  const places = new Set(SHIPPED);
  // A set's iteration includes the entries that are added during it.
  for (const place of places)
    for (const name of Object.keys({ ...packages[place].dependencies, ...packages[place].optionalDependencies })) {
      const found = find(place, name);
      if (found) places.add(found);
    }
  return new Set(
    [...places]
      .filter((place) => place.includes('node_modules/'))
      .map((place) => `${place.split('node_modules/').at(-1)}@${packages[place].version}`),
  );
}
