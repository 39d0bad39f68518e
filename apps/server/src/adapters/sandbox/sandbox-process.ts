import { Worker } from 'node:worker_threads';
import { evaluateExpression } from './evaluate-expression.ts';
import type { SandboxReply, SandboxRequest } from './requests.ts';
import { prepareEngine, runScript } from './run-script.ts';

const reply = (message: SandboxReply): void => void process.send?.(message);

process.on('message', (request: SandboxRequest) => {
  void answer(request).then(reply, (error: unknown) => reply({ kind: 'unable', problem: String(error) }));
});
process.on('disconnect', () => process.exit());
// A terminal's Ctrl-C is meant for the server, which ends this process when nobody waits for it any more.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
endWithParent();

await prepareEngine();
reply({ kind: 'ready' });

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  if (request.kind === 'expression') return { kind: 'done', outcome: evaluateExpression(request), isSpent: false };
  const { isSpent, ...outcome } = await runScript(request);
  return { kind: 'done', outcome, isSpent };
}

/** While an expression loops, this thread hears nothing; another one watches whether the server still lives. */
function endWithParent(): void {
  const watch = `const parent = process.ppid;
    setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500);`;
  new Worker(watch, { eval: true }).unref();
}
