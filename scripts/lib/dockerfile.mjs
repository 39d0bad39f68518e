/**
 * What a Dockerfile says, stage by stage, as far as ours goes: words of one line, JSON forms, `${ARG}`.
 * @typedef {{ instruction: string, rest: string, flags: Record<string, string> }} Line
 * @typedef {{ name: string, base: string, lines: Line[] }} Stage
 */

/** @param {string} text @returns {Stage[]} */
export function stagesOf(text) {
  /** @type {Stage[]} */
  const stages = [];
  /** @type {Record<string, string>} */
  const args = {};
  for (const raw of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [instruction = '', ...words] = line.split(/\s+/);
    const flags = Object.fromEntries(
      words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=')),
    );
    const takesFlags = instruction === 'COPY' || instruction === 'HEALTHCHECK';
    const rest = (takesFlags ? words.filter((word) => !word.startsWith('--')) : words).join(' ');
    if (instruction === 'ARG') Object.assign(args, Object.fromEntries([rest.split('=')]));
    else if (instruction === 'FROM') {
      const [base = '', , name = `stage ${stages.length}`] = rest.split(' ');
      stages.push({ name, base: base.replaceAll(/\$\{(\w+)\}/g, (_, arg) => args[arg] ?? ''), lines: [] });
    } else stages.at(-1)?.lines.push({ instruction, rest, flags });
  }
  return stages;
}

/**
 * Whether a file of the build's context is left out, by the lines of a .dockerignore: the last one that fits counts, and a
 * folder's line fits all below it.
 * @param {string} ignore @returns {(file: string) => boolean}
 */
export function leftOut(ignore) {
  const rules = ignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }));
  return (file) => {
    const rule = rules.findLast(({ pattern }) => pattern.test(file));
    return rule !== undefined && !rule.isKept;
  };
}

const SIGNS = { '**/': '(?:.*/)?', '*': '[^/]*' };

/** @param {string} line */
const patternOf = (line) =>
  new RegExp(
    `^${line.replaceAll(/\*\*\/|\*|[.+^$()|[\]{}\\]/g, (sign) => SIGNS[/** @type {'*'} */ (sign)] ?? `\\${sign}`)}(?:/|$)`,
  );
