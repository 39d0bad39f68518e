type Problem = { field: string; problem: string };

/**
 * Words for fields whose name would be unclear in a sentence, or isn't written like this. `tell` and `news` are old
 * names (docs/glossary.md).
 */
const WORDS: Readonly<Record<string, string>> = {
  'again after minutes': 'interval',
  'as of': 'date',
  'expires in days': 'lifetime in days',
  news: 'kind of notification',
  q: 'search text',
  'required if': 'condition',
  sha256: 'SHA-256',
  sla: 'SLA',
  tell: 'recipients',
  'to user id': 'delegate',
  url: 'URL',
};

/** Lists whose entries have a name of their own. */
const ENTRIES: Readonly<Record<string, string>> = { fields: 'field', steps: 'step' };

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
  let [name, words, owner] = ['', '', ''];
  for (const part of path.split('.')) {
    if (/^\d+$/.test(part)) {
      const number = Number(part) + 1;
      words = ENTRIES[name] ? `${ENTRIES[name]} ${number}${owner}` : `entry ${number} of ${words}`;
      owner = ` of ${words}`;
    } else {
      name = part;
      words = `${nameInWords(part)}${owner}`;
    }
  }
  return words;
}

function nameInWords(name: string): string {
  // Headers are written as they are sent.
  if (/^[A-Z]/.test(name)) return name;
  const words = name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return WORDS[words] ?? words;
}
