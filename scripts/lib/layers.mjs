// An oxlint plugin for the layers and their imports. Of our own packages, `contract` and `presentation` import only
// `domain`. Server and web import all three, but never each other.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

const [DOMAIN, CONTRACT] = ['packages/domain/src', 'packages/contract/src'];
const PRESENTATION = 'packages/presentation/src';
const [SERVER, WEB] = ['apps/server/src', 'apps/web/src'];
const MODULES = `${SERVER}/modules/*`;
const STEP_TYPES = `${WEB}/step-types`;
const FEATURES = `${WEB}/features/*`;

/**
 * Each layer with the other layers that it may import. A file belongs to the first layer whose folder contains it. The
 * folders of a layer whose name ends in `/*` don't import each other, except the server's modules, which can import
 * each other's `index.ts`. Tests can import everything in their own package, except that tests of a web feature can't
 * import another feature.
 * @type {Record<string, string[]>}
 */
const LAYERS = {
  [DOMAIN]: [],
  [CONTRACT]: [DOMAIN],
  [PRESENTATION]: [DOMAIN],
  [`${SERVER}/kernel`]: [DOMAIN],
  [`${SERVER}/adapters`]: [DOMAIN, PRESENTATION, `${SERVER}/kernel`],
  [`${SERVER}/db`]: [DOMAIN, CONTRACT, `${SERVER}/kernel`],
  [`${SERVER}/http`]: [DOMAIN, CONTRACT, PRESENTATION, `${SERVER}/kernel`, `${SERVER}/db`],
  [MODULES]: [DOMAIN, CONTRACT, PRESENTATION, `${SERVER}/kernel`, `${SERVER}/db`, `${SERVER}/http`],
  [SERVER]: [DOMAIN, CONTRACT, PRESENTATION, SERVER],
  [`${WEB}/lib`]: [DOMAIN, CONTRACT, PRESENTATION],
  [`${WEB}/ui`]: [DOMAIN, CONTRACT, PRESENTATION, `${WEB}/lib`],
  [STEP_TYPES]: [DOMAIN, CONTRACT, PRESENTATION, `${WEB}/lib`, `${WEB}/ui`],
  [FEATURES]: [DOMAIN, CONTRACT, PRESENTATION, `${WEB}/lib`, `${WEB}/ui`, STEP_TYPES],
  [`${WEB}/screens/*`]: [DOMAIN, CONTRACT, PRESENTATION, `${WEB}/lib`, `${WEB}/ui`, STEP_TYPES, `${WEB}/features`],
  [`${WEB}/app`]: [DOMAIN, CONTRACT, PRESENTATION, `${WEB}/lib`, `${WEB}/ui`, `${WEB}/features`, `${WEB}/screens`],
  [WEB]: [DOMAIN, CONTRACT, PRESENTATION, WEB],
};

/** The modules of the domain, in order. Each imports only earlier ones. */
const DOMAIN_MODULES =
  `defaults steps access workflows sla audit bpmn drafts expressions notifications runs insights waitlist webhooks testing`
    .split(' ')
    .map((name) => `${DOMAIN}/${name}`);

/** The only file of a module that other modules may import. */
const PUBLIC = 'index.ts';

/** The only packages that these layers may use. None of them may use Node. @type {Record<string, string[]>} */
const PACKAGES = {
  [DOMAIN]: ['@noble/hashes', 'feelin', 'ipaddr.js'],
  [CONTRACT]: ['zod'],
  [PRESENTATION]: ['@dagrejs/dagre', 'diff'],
};

const isTest = (file) =>
  /\.(?:test|fixture|arbitrary)\.tsx?$|^(?:packages\/domain|apps\/[a-z]+)\/src\/testing\//.test(file);
const isIn = (file, folder) => file.startsWith(`${folder}/`);
const packageOf = (file) => file.split('/').slice(0, 2).join('/');

/**
 * @param {string} file
 * @returns {{ layer: string, part: string } | undefined} `part` is the folder whose files may import each other
 */
function placeOf(file) {
  for (const layer of Object.keys(LAYERS)) {
    const folder = layer.replace(/\/\*$/, '');
    if (!isIn(file, folder)) continue;
    const name = file.slice(folder.length + 1).split('/')[0];
    return { layer, part: layer === folder ? folder : `${folder}/${name}` };
  }
  return undefined;
}

/**
 * Returns the reason why a file may not import a specifier; `undefined` if it may.
 * @param {string} from below the root, with slashes
 * @param {string} specifier
 */
export function refusalOf(from, specifier) {
  const source = placeOf(from);
  const to = targetOf(from, specifier);
  if (!source) return undefined;
  if (to === undefined) return isTest(from) ? undefined : refusalOfPackage(from, source.layer, specifier);
  const target = placeOf(to);
  const isOwnPackage = packageOf(from) === packageOf(to);
  if (specifier.startsWith('.') && !isOwnPackage) return 'import another package by its name';
  if (!target) return undefined;
  if (isTest(to) && !isTest(from)) return 'only tests may import test files';
  const isAnotherFeature = target.layer === FEATURES && source.layer === FEATURES && target.part !== source.part;
  if (isTest(from) && isOwnPackage && !isAnotherFeature) return undefined;
  if (target.layer === DOMAIN && source.layer === DOMAIN) return refusalOfDomainModule(from, to);
  if (target.part === source.part) return undefined;
  if (LAYERS[source.layer].some((folder) => isIn(to, folder))) return undefined;
  if (source.layer !== MODULES || target.layer !== MODULES) return `${source.part} can't import ${target.part}`;
  return to === `${target.part}/${PUBLIC}` ? undefined : `a module can import another only through its ${PUBLIC}`;
}

function refusalOfDomainModule(from, to) {
  const [source, target] = [from, to].map((file) => DOMAIN_MODULES.findIndex((folder) => isIn(file, folder)));
  return target <= source
    ? undefined
    : `${DOMAIN_MODULES[source]} can't import ${DOMAIN_MODULES[target]}, which comes after it`;
}

function refusalOfPackage(from, layer, specifier) {
  if (isIn(from, WEB) && specifier.startsWith('node:')) return 'the browser can’t import Node';
  const allowed = PACKAGES[layer];
  if (!allowed || allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return undefined;
  return `${layer} can use only these packages, and no Node modules: ${allowed.join(', ')}`;
}

/**
 * Returns the file below the root that a specifier refers to; `undefined` for third-party packages and other kinds of
 * files.
 */
function targetOf(from, specifier) {
  const [, name, entry] = /^@stet\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === 'server' || name === 'web') return `apps/${name}/src/index.ts`;
  if (name) return entryOf(`packages/${name}/src`, entry);
  const isFile = specifier.startsWith('.') && /\.(?:tsx?|css)$/.test(specifier);
  return isFile ? path.posix.join(path.posix.dirname(from), specifier) : undefined;
}

/** Returns the file of a package's export: a folder's `index.ts`, or a file. */
const entryOf = (folder, entry = 'index') =>
  fs.existsSync(path.join(ROOT, folder, `${entry}.ts`)) ? `${folder}/${entry}.ts` : `${folder}/${entry}/index.ts`;

/** @type {Map<string, string[]>} */
const known = new Map();

/** Returns the files that a file imports by path, found in its text. */
function importsOf(file) {
  if (!known.has(file)) {
    const text = fs.existsSync(path.join(ROOT, file)) ? fs.readFileSync(path.join(ROOT, file), 'utf8') : '';
    known.set(
      file,
      [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'(\.[^'\n]+\.tsx?)'/g)].map(([, specifier]) =>
        targetOf(file, specifier),
      ),
    );
  }
  return known.get(file);
}

function leadsTo(goal, file, seen = new Set()) {
  if (file === goal) return true;
  if (seen.has(file)) return false;
  seen.add(file);
  return importsOf(file).some((next) => leadsTo(goal, next, seen));
}

const layers = {
  create(context) {
    const from = path.relative(ROOT, context.filename).replaceAll(path.sep, '/');
    const check = ({ source }) => {
      const why = typeof source?.value === 'string' && refusalOf(from, source.value);
      if (why) context.report({ node: source, message: why });
    };
    return {
      ImportDeclaration: (node) => {
        check(node);
        const loadsContract = isIn(from, WEB) && !isTest(from) && node.source.value === '@stet/contract';
        if (loadsContract && node.importKind !== 'type')
          context.report({ node, message: 'import only types from the contract, because its values load zod' });
      },
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      ImportExpression: (node) => {
        check(node);
        // oxlint's `import/no-cycle` doesn't follow dynamic imports.
        const to = typeof node.source.value === 'string' && targetOf(from, node.source.value);
        if (to && leadsTo(from, to)) context.report({ node, message: `${to} imports this file (a cycle)` });
      },
    };
  },
};

export default { meta: { name: 'stet' }, rules: { layers } };
