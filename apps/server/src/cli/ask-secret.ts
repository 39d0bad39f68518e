import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Prompts at the terminal without echoing the input. Returns null if standard input isn't a terminal. */
export async function askSecret(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  process.stderr.write(question);
  // Readline lets the person edit the line. Its echo is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  asking.once('SIGINT', () => process.exit(130));
  try {
    return await asking.question('');
  } finally {
    asking.close();
    process.stderr.write('\n');
  }
}
