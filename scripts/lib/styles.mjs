// An oxlint rule: a stylesheet of the web app affects only its own component, and every class that is used exists.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

const WEB = 'apps/web/src/';
const UI = 'apps/web/src/ui/';
/** Stylesheets that apply to every screen: tokens, reset, base typography and named utilities. */
const GLOBAL = 'apps/web/src/ui/theme/';
/** Classes in HTML that libraries produce: the code editor's, and those of Markdown. */
const FOREIGN = /^(cm-[\w-]+|task-list-item|footnotes|sr-only)$/;

/**
 * Returns the reason why a file may not import a stylesheet as plain CSS; `undefined` if it may.
 * @param {string} sheet below the root, with slashes
 */
export function refusalOfSheet(sheet) {
  if (!sheet.startsWith(WEB) || !sheet.endsWith('.css') || sheet.endsWith('.module.css')) return undefined;
  if (sheet.startsWith(GLOBAL)) return undefined;
  return `${path.posix.basename(sheet)} affects every screen: make it a module`;
}

/**
 * Returns the problem with a module's cascade layer; `undefined` if there is none.
 * @param {string} sheet below the root, with slashes
 * @param {string} css
 */
export function refusalOfLayer(sheet, css) {
  const name = path.posix.basename(sheet);
  if (!sheet.startsWith(UI))
    return css.includes('@layer') ? `${name} is in a layer: only the components of ui are` : undefined;
  return /^@layer (?:ui|composed) \{\n(?:[ }@].*\n|\n)*\}\n$/.test(css)
    ? undefined
    : `${name} must be in "@layer ui" or "@layer composed", so that features can override it`;
}

/**
 * Returns the classes of a module, the selectors that affect elements outside it, and the global classes that it
 * depends on.
 * @param {string} css
 */
export function readModule(css) {
  const text = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '');
  const lists = [...text.matchAll(/([^{};]+)\{/g)]
    .map(([, list = '']) => list.trim())
    .filter((list) => !list.startsWith('@'));
  const own = (selector) => classesIn(withoutGlobals(selector));
  const selectors = lists.flatMap(split);
  return {
    classes: new Set(selectors.flatMap(own)),
    unscoped: selectors.filter((selector) => own(selector).length === 0),
    globals: new Set(selectors.flatMap((selector) => selector.match(GLOBALS) ?? []).flatMap(classesIn)),
  };
}

const GLOBALS = /:global\([^)]*\)/g;
const classesIn = (selector) => [...selector.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name);
const withoutGlobals = (selector) => selector.replaceAll(GLOBALS, '').replaceAll(/\[[^\]]*\]/g, '');

/** Splits a selector list at the commas outside brackets. */
function split(list) {
  const parts = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim());
}

/** Returns the classes of the global stylesheets. */
export function utilities() {
  const folder = path.join(ROOT, GLOBAL);
  const sheets = fs.readdirSync(folder).filter((file) => file.endsWith('.css'));
  return new Set(sheets.flatMap((file) => [...readModule(fs.readFileSync(path.join(folder, file), 'utf8')).classes]));
}

/** Returns the string literals in the value of a `className`. */
function literalsIn(node) {
  if (!node) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node] : [];
    case 'JSXExpressionContainer':
      return literalsIn(node.expression);
    case 'LogicalExpression':
      return literalsIn(node.right);
    case 'ConditionalExpression':
      return [...literalsIn(node.consequent), ...literalsIn(node.alternate)];
    case 'CallExpression':
      return node.callee.name === 'classNames' ? node.arguments.flatMap(literalsIn) : [];
    default:
      return [];
  }
}

const scoped = {
  create(context) {
    const from = path.relative(ROOT, context.filename).replaceAll(path.sep, '/');
    if (!from.startsWith(WEB)) return {};
    const known = utilities();
    /** @type {Map<string, Set<string>>} the classes of each module by its import name */
    const modules = new Map();
    return {
      ImportDeclaration(node) {
        const specifier = node.source.value;
        if (!specifier.startsWith('.') || !specifier.endsWith('.css')) return;
        const report = (message) => context.report({ node, message });
        const sheet = path.posix.join(path.posix.dirname(from), specifier);
        const why = refusalOfSheet(sheet);
        if (why) report(why);
        if (!sheet.endsWith('.module.css')) return;
        const css = fs.readFileSync(path.join(ROOT, sheet), 'utf8');
        const layer = refusalOfLayer(sheet, css);
        if (layer) report(layer);
        const { classes, unscoped, globals } = readModule(css);
        for (const selector of unscoped)
          report(`${selector} in ${specifier} doesn’t start from a class of this module`);
        for (const name of globals)
          if (!known.has(name) && !FOREIGN.test(name)) report(`${specifier}: no global stylesheet has a class ${name}`);
        for (const { local } of node.specifiers) modules.set(local.name, classes);
      },
      MemberExpression(node) {
        const classes = node.object.type === 'Identifier' && modules.get(node.object.name);
        if (classes && !node.computed && !classes.has(node.property.name))
          context.report({ node, message: `the stylesheet has no class ${node.property.name}` });
      },
      JSXAttribute({ name: { name: attribute }, value }) {
        if (attribute !== 'className') return;
        for (const node of literalsIn(value))
          for (const name of node.value.split(' '))
            if (!known.has(name) && !FOREIGN.test(name))
              context.report({ node, message: `no global stylesheet has a class ${name}` });
      },
    };
  },
};

export default { meta: { name: 'stet-styles' }, rules: { scoped } };
