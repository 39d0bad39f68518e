// Runs in the browser, in every page that is looked at.
const LINKS = ['href', 'src', 'action', 'formaction', 'xlink:href'];

/** Whether the screen shows the text of a canary. @returns {boolean} */
function areShown() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = document.querySelectorAll('input, textarea');
  const texts = [document.body.innerText];
  for (const field of fields) texts.push(field.value);
  return /onerror=|onload=/.test(texts.join(' '));
}

/**
 * What stands in the document that only a canary could have put there.
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
      if (name === 'src' && value.includes(elsewhere)) found.push(`${tag} from elsewhere`);
    }
  }
  return found;
}

Object.assign(globalThis, { canaries: { areShown, strangers } });
