type Problem = { field: string; problem: string };

/** Words that aren't written as in the name of their field. The first three are old names (docs/glossary.md). */
const WORDS: Readonly<Record<string, string>> = {
  tell: 'recipients',
  'again after minutes': 'interval',
  news: 'kind of notification',
  sha256: 'SHA-256',
  sla: 'SLA',
  url: 'URL',
};

/**
 * Writes a problem as a sentence. If it is only the end of a sentence (`must not be empty`), the sentence starts with
 * the field's name in words: `Title of step 3 must not be empty`.
 */
export function problemSentence({ field, problem }: Problem): string {
  if (!/^\p{Ll}/u.test(problem)) return problem;
  if (field === '') return problem === 'is required' ? 'The request needs a body' : `The request ${problem}`;
  const subject = inWords(field);
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)} ${problem}`;
}

function inWords(path: string): string {
  let [words, entry] = ['', ''];
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part)) {
      const number = Number(part) + 1;
      entry = words === 'steps' ? `step ${number}` : `entry ${number} of ${words}`;
      words = entry;
    } else words = `${nameInWords(part)}${entry && ` of ${entry}`}`;
  }
  return words;
}

function nameInWords(name: string): string {
  // Headers are written as they are sent.
  if (/^[A-Z]/.test(name)) return name;
  const words = name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return WORDS[words] ?? words;
}
