// An oxlint rule: a stylesheet of the web app affects only its own component, and every class that is used exists.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './paths.mjs';

const WEB = 'apps/web/src/';
/** Stylesheets that apply to every screen: tokens, reset, base typography and named utilities. */
const GLOBAL = 'apps/web/src/ui/theme/';
/** Plain stylesheets that aren't modules yet. The list may only shrink. */
const PLAIN = new Set(
  'avatar badge breadcrumbs button change-list check-row diff-words drag-handle empty-state field icon kbd menu modal note popover priority segmented-control segments side-panel sla-badge table'
    .split(' ')
    .map((name) => `apps/web/src/ui/${name}.css`),
);

/**
 * Returns why a file may not import a stylesheet as plain CSS; `undefined` if it may.
 * @param {string} sheet below the root, with slashes
 */
export function refusalOfSheet(sheet) {
  if (!sheet.startsWith(WEB) || !sheet.endsWith('.css') || sheet.endsWith('.module.css')) return undefined;
  if (sheet.startsWith(GLOBAL) || PLAIN.has(sheet)) return undefined;
  return `${path.posix.basename(sheet)} affects every screen: make it a module`;
}

/**
 * Returns the classes of a module, and the selectors that affect elements outside it.
 * @param {string} css
 */
export function readModule(css) {
  const text = css.replace(/\/\*[\s\S]*?\*\//g, '').replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g, '');
  const lists = [...text.matchAll(/([^{};]+)\{/g)]
    .map(([, list = '']) => list.trim())
    .filter((list) => !list.startsWith('@'));
  const own = (selector) => [...withoutGlobals(selector).matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = '']) => name);
  const selectors = lists.flatMap(split);
  return {
    classes: new Set(selectors.flatMap(own)),
    unscoped: selectors.filter((selector) => own(selector).length === 0),
  };
}

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

const withoutGlobals = (selector) => selector.replace(/:global\([^)]*\)|\[[^\]]*\]/g, '');

const scoped = {
  create(context) {
    const from = path.relative(ROOT, context.filename).replaceAll(path.sep, '/');
    if (!from.startsWith(WEB)) return {};
    /** @type {Map<string, Set<string>>} the classes of each module by its import name */
    const modules = new Map();
    return {
      ImportDeclaration(node) {
        const specifier = node.source.value;
        if (!specifier.startsWith('.') || !specifier.endsWith('.css')) return;
        const sheet = path.posix.join(path.posix.dirname(from), specifier);
        const why = refusalOfSheet(sheet);
        if (why) context.report({ node, message: why });
        if (!sheet.endsWith('.module.css')) return;
        const { classes, unscoped } = readModule(fs.readFileSync(path.join(ROOT, sheet), 'utf8'));
        for (const selector of unscoped)
          context.report({ node, message: `${selector} in ${specifier} doesn’t start from a class of this module` });
        for (const { local } of node.specifiers) modules.set(local.name, classes);
      },
      MemberExpression(node) {
        const classes = node.object.type === 'Identifier' && modules.get(node.object.name);
        if (classes && !node.computed && !classes.has(node.property.name))
          context.report({ node, message: `the stylesheet has no class ${node.property.name}` });
      },
    };
  },
};

export default { meta: { name: 'stet-styles' }, rules: { scoped } };
