/**
 * The direction of dependencies: which layer a file belongs to, and which layers it may import.
 * `domain ← contract ← server | web`; server and web never meet.
 */

/** @typedef {{ layer: string, part?: string }} Place part: the module, feature or screen that the file belongs to */

/** @type {[RegExp, string][]} the first that fits counts; its first group is the part */
const LAYERS = [
  [/^packages\/domain\/src\//, 'domain'],
  [/^packages\/contract\/src\//, 'contract'],
  [/^apps\/server\/src\/(?:kernel|db|http|adapters|testing)\//, 'server '],
  [/^apps\/server\/src\/modules\/([^/]+)\//, 'server module'],
  [/^apps\/server\/src\//, 'server root'],
  [/^apps\/web\/src\/(?:app|ui|lib|testing)\//, 'web '],
  [/^apps\/web\/src\/screens\/([^/]+)\//, 'web screen'],
  [/^apps\/web\/src\/features\/([^/]+)\//, 'web feature'],
  [/^apps\/web\/src\//, 'web root'],
];

const SHARED = ['domain', 'contract'];
const SERVER = ['server kernel', 'server db', 'server http', 'server adapters', 'server module', 'server root'];
const WEB = ['web app', 'web ui', 'web lib', 'web screen', 'web feature', 'web root'];

/** @type {Record<string, string[]>} a layer may always import itself; modules, features and screens only their own part */
const MAY_IMPORT = {
  domain: [],
  contract: ['domain'],
  'server kernel': ['domain'],
  'server adapters': ['domain', 'server kernel'],
  'server db': [...SHARED, 'server kernel'],
  'server http': [...SHARED, 'server kernel', 'server db'],
  'server module': [...SHARED, 'server kernel', 'server db', 'server http'],
  'server root': [...SHARED, ...SERVER],
  'server testing': [...SHARED, ...SERVER],
  'web lib': [...SHARED],
  'web ui': [...SHARED, 'web lib'],
  'web feature': [...SHARED, 'web ui', 'web lib'],
  'web screen': [...SHARED, 'web feature', 'web ui', 'web lib'],
  'web app': [...SHARED, 'web screen', 'web feature', 'web ui', 'web lib'],
  'web root': [...SHARED, ...WEB],
  'web testing': [...SHARED, ...WEB],
};

/** For layers that don't run on Node alone, the packages that they may use. @type {Record<string, string[]>} */
const PACKAGES = { domain: ['@noble/hashes', 'feelin', '@dagrejs/dagre'], contract: ['zod'] };

const isTest = (file) => /\.(?:test|fixture|arbitrary)\.tsx?$|^packages\/domain\/src\/testing\//.test(file);
const isTesting = (layer) => layer.endsWith(' testing');

/** @param {string} file below the root, with slashes @returns {Place | undefined} `undefined` outside the layers */
export function placeOf(file) {
  for (const [pattern, layer] of LAYERS) {
    const match = pattern.exec(file);
    if (!match) continue;
    if (layer.endsWith(' ')) return { layer: layer + file.split('/')[3] };
    return match[1] === undefined ? { layer } : { layer, part: match[1] };
  }
  return undefined;
}

/**
 * Why `from` may not import the file `to`; `undefined` when it may.
 * @param {string} from
 * @param {string} to
 */
export function refusalOfFile(from, to) {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (!source || !target) return undefined;
  if (!isTest(from) && !isTesting(source.layer) && (isTest(to) || isTesting(target.layer))) {
    return 'only tests import what is made for tests';
  }
  const app = source.layer.split(' ')[0];
  const isFreeTest = isTest(from) && (app === 'server' || app === 'web');
  if (isFreeTest && target.layer.startsWith(`${app} `)) return undefined;
  if (source.layer === target.layer) {
    if (source.part === target.part) return undefined;
    if (source.layer !== 'server module') return `a ${source.layer} never imports another one`;
    return to.endsWith(`/modules/${target.part}/reads.ts`)
      ? undefined
      : 'a module imports another only through its reads.ts';
  }
  if (MAY_IMPORT[source.layer]?.includes(target.layer)) return undefined;
  return `${source.layer} does not import ${target.layer}`;
}

/**
 * Why `from` may not import a package or a part of Node; `undefined` when it may.
 * @param {string} from
 * @param {string} specifier such as `zod` or `node:fs`
 */
export function refusalOfPackage(from, specifier) {
  const source = placeOf(from);
  if (!source || isTest(from)) return undefined;
  if (source.layer.startsWith('web ') && !isTesting(source.layer) && specifier.startsWith('node:')) {
    return 'the browser has no Node';
  }
  const allowed = PACKAGES[source.layer];
  if (!allowed || allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return undefined;
  return `${source.layer} uses no package but ${allowed.join(', ')}, and nothing of Node`;
}
