/** One instruction: its words in `rest`, its `--flags` apart. */
export type Line = { instruction: string; rest: string; flags: Record<string, string> };
export type Stage = { name: string; base: string; lines: Line[] };

/** What a Dockerfile says, stage by stage, as far as ours goes: words of one line, JSON forms, `${ARG}`. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = [];
  const args: Record<string, string> = {};
  for (const raw of text.replaceAll(/\\\n/g, ' ').split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [instruction = '', ...words] = line.split(/\s+/);
    const flags: Record<string, string> = Object.fromEntries(
      words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('=') as [string, string]),
    );
    const takesFlags = instruction === 'COPY' || instruction === 'HEALTHCHECK';
    const rest = (takesFlags ? words.filter((word) => !word.startsWith('--')) : words).join(' ');
    if (instruction === 'ARG') Object.assign(args, Object.fromEntries([rest.split('=') as [string, string]]));
    else if (instruction === 'FROM') {
      const [base = '', , name = `stage ${stages.length}`] = rest.split(' ');
      stages.push({ name, base: base.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => args[arg] ?? ''), lines: [] });
    } else stages.at(-1)?.lines.push({ instruction, rest, flags });
  }
  return stages;
}

/**
 * Whether a file of the build's context is left out, by the lines of a .dockerignore: the last one that fits counts, and a
 * folder's line fits all below it.
 */
export function leftOut(ignore: string): (file: string) => boolean {
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

const SIGNS: Record<string, string> = { '**/': '(?:.*/)?', '*': '[^/]*' };

const patternOf = (line: string): RegExp =>
  new RegExp(`^${line.replaceAll(/\*\*\/|\*|[.+^$()|[\]{}\\]/g, (sign) => SIGNS[sign] ?? `\\${sign}`)}(?:/|$)`);
