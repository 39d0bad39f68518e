import { text } from 'node:stream/consumers';
import { askSecret } from './cli/ask-secret.ts';
import { COMMANDS } from './cli/commands.ts';
import { runCommand } from './cli/run-command.ts';

// Without a listener, a closed pipe would end the process with a stack trace.
process.stdout.on('error', () => {});

process.exitCode = await runCommand(process.argv.slice(2), COMMANDS, {
  env: process.env,
  out: (written) =>
    new Promise((resolve, reject) => {
      process.stdout.write(written, (error) => (error ? reject(error) : resolve()));
    }),
  say: (line) => void process.stderr.write(`${line}\n`),
  read: () => text(process.stdin),
  askSecret,
});
