// Runs in the browser, in every page under test.
const LINKS = ['href', 'src', 'action', 'formaction', 'xlink:href'];

/** The texts, field values, tooltips and labels on the screen. @returns {string} */
function texts() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('input, textarea, select');
  const shown = [document.title, document.body.innerText];
  for (const field of fields) shown.push(field.value);
  for (const element of document.querySelectorAll('[title], [aria-label], [aria-description]'))
    for (const name of ['title', 'aria-label', 'aria-description']) shown.push(element.getAttribute(name) ?? '');
  return shown.join('\n');
}

/** Whether the screen is still loading. @returns {boolean} */
const isBusy = () => document.querySelector('[aria-busy="true"]') !== null;

const FOLDED = [
  'main [aria-expanded="false"]:not([aria-haspopup])',
  'main [role="tab"]',
  'main summary',
  'main [aria-pressed="false"]',
  '.react-flow__node',
  'header [aria-haspopup]',
  'nav [aria-haspopup]',
].join(', ');
/** @type {WeakSet<Element>} */
const opened = new WeakSet();

/** Clicks the next collapsed section, tab, menu, toggle or node. Returns whether there was one. @returns {boolean} */
function unfold() {
  /** @type {NodeListOf<HTMLElement>} */
  const folded = document.querySelectorAll(FOLDED);
  const next = [...folded].find((element) => !opened.has(element));
  if (next) opened.add(next);
  next?.click();
  return next !== undefined;
}

/**
 * Elements of the document that only a canary could have inserted.
 * @param {string} elsewhere
 * @returns {string[]}
 */
function strangers(elsewhere) {
  /** @type {string[]} */
  const found = [];
  for (const element of document.querySelectorAll('*')) {
    const tag = element.tagName.toLowerCase();
    const isOwnScript = tag === 'script' && !(element.textContent ?? '').includes('__hit');
    if (['iframe', 'object', 'embed', 'script'].includes(tag) && !isOwnScript) found.push(`<${tag}>`);
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(`${tag} ${name}`);
      if (LINKS.includes(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value))
        found.push(`${tag} ${name}=${value.slice(0, 60)}`);
      if (name === 'src' && value.includes(elsewhere)) found.push(`${tag} from an external address`);
    }
  }
  return found;
}

Object.assign(globalThis, { canaries: { texts, isBusy, unfold, strangers } });
