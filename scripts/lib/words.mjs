// An oxlint plugin for words that hide the meaning of a name, with the plain words to use instead (docs/writing.md).
import path from 'node:path';

/** Parts of names in `kebab-case`, with the words to use instead. @type {[RegExp, string][]} */
const INSTEAD = [
  [/^(?:un)?settl(?:es?|ed|ing|ement)$/, 'resolve, confirm, finish or complete'],
  [/^(?:un)?(?:tells?|told|telling)$/, 'notify'],
  [/^(?:news|notices?)$/, 'notification'],
  [/^(?:hears?|heard|hearing)$/, 'receive'],
  [/^(?:hangs?|hung|hanging)-up$/, 'disconnect'],
  [/^carr(?:y|ies|ied|ying)-out$/, 'execute'],
  [/^leave-(?:jobs?|notices?|notifications?)$/, 'enqueue'],
  [/^hold-[a-z]+$/, 'lock or recheck'],
  [/^(?:keep|keeps|kept)-(?:webhooks?|answers?)$/, 'save or store'],
  [/^(?:un)?hush(?:es|ed|ing)?$/, 'mute'],
];

/** Function names that aren't allowed, with the names to use instead. */
const FUNCTIONS = new Map([
  ['granted', 'unwrap'],
  ['saying', 'withMessage'],
  ['asRun', 'runOnly'],
  ['keep', 'what it does: save, extend, reuse'],
  ['enact', 'apply'],
]);

/** Stored names and names in the API (docs/glossary.md). They are allowed as properties, but not as our own names. */
const STORED = new Set(['news', 'settled', 'tell', 'told', 'mail_notice', 'tell_in_slack', 'hold_until']);

/** Names from the language and from libraries. */
const FOREIGN = new Set(['allSettled', 'onSettled']);

const partsOf = (name) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);

/**
 * Returns the words to use instead of a name; `undefined` if the name is fine.
 * @param {string} name an identifier, or the name of a file
 * @param {{ isOwn?: boolean }} [at] `isOwn`: it is declared here, as a variable, function, parameter or type
 */
export function insteadOf(name, { isOwn = true } = {}) {
  if (FOREIGN.has(name) || (!isOwn && STORED.has(name))) return undefined;
  const parts = partsOf(name);
  const pairs = parts.slice(1).map((part, index) => `${parts[index]}-${part}`);
  return INSTEAD.find(([word]) => [...parts, ...pairs].some((part) => word.test(part)))?.[1];
}

function isDeclared({ parent, ...node }) {
  return parent?.id?.start === node.start || parent?.params?.some((param) => param.start === node.start) === true;
}

const isFunction = ({ parent }) => parent?.type === 'FunctionDeclaration' || /Function/.test(parent?.init?.type ?? '');

const words = {
  create(context) {
    const report = (node, name, word) => context.report({ node, message: `instead of ${name}, write ${word}` });
    const check = (node) => {
      const isOwn = isDeclared(node);
      const word =
        insteadOf(node.name, { isOwn }) ?? (isOwn && isFunction(node) ? FUNCTIONS.get(node.name) : undefined);
      if (word) report(node, node.name, word);
    };
    return {
      Program: (node) => {
        const file = path.basename(context.filename);
        const word = insteadOf(file);
        if (word) report(node, file, word);
      },
      Identifier: check,
      JSXIdentifier: check,
      PrivateIdentifier: check,
    };
  },
};

export default { meta: { name: 'words' }, rules: { words } };
