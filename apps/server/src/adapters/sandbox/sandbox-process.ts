import { Worker } from 'node:worker_threads';
import { evaluateExpression } from './evaluate-expression.ts';
import type { SandboxReply, SandboxRequest } from './requests.ts';
import { prepareEngine, runScript } from './run-script.ts';

/** A user id that no account has. It isn't `nobody`, because the embedded PostgreSQL may run as that user. */
const NO_ONE = 65_531;

const reply = (message: SandboxReply): void => void process.send?.(message);

process.on('message', (request: SandboxRequest) => {
  void answer(request).then(reply, (error: unknown) => reply({ kind: 'unable', problem: String(error) }));
});
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal is meant for the server, which ends this process once no request needs it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
endWithParent();

await prepareEngine();
reply({ kind: 'ready', isRoot: await dropRoot() });

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  if (request.kind === 'expression') return { kind: 'done', outcome: evaluateExpression(request), isSpent: false };
  const { isSpent, ...outcome } = await runScript(request);
  return { kind: 'done', outcome, isSpent };
}

/**
 * Switches to an unprivileged user if the process is root. Must be called last, because afterwards the process may be
 * unable to read the program's own files. Returns true if the process is still root, for example in a container without
 * the capability.
 */
async function dropRoot(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  // Loads the engine in advance, because otherwise the first script would load it.
  await runScript({ text: '', timeoutMs: 1000, input: { outputs: {}, run: {}, step: {} } });
  try {
    process.setgroups?.([]);
    process.setgid?.(NO_ONE);
    process.setuid?.(NO_ONE);
    return false;
  } catch {
    return true;
  }
}

/**
 * This thread receives no events while an expression loops, so another thread checks whether the server still exists.
 */
function endWithParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`;
  new Worker(watch, { eval: true }).unref();
}
