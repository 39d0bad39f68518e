import { dropRoot, endWithParent } from '../unprivileged-process.ts';
import { evaluateExpression } from './evaluate-expression.ts';
import type { SandboxReply, SandboxRequest } from './requests.ts';
import { prepareEngine, runScript } from './run-script.ts';

const reply = (message: SandboxReply): void => void process.send?.(message);

process.on('message', (request: SandboxRequest) => {
  void answer(request).then(reply, (error: unknown) => reply({ kind: 'unable', problem: String(error) }));
});
process.on('disconnect', () => process.exit());
endWithParent();

await prepareEngine();
// The first script loads the engine, which the unprivileged user may be unable to read.
if (process.getuid?.() === 0) await runScript({ text: '', timeoutMs: 1000, input: { outputs: {}, run: {}, step: {} } });
reply({ kind: 'ready', isRoot: dropRoot() });

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  if (request.kind === 'expression') return { kind: 'done', outcome: evaluateExpression(request), isSpent: false };
  const { isSpent, ...outcome } = await runScript(request);
  return { kind: 'done', outcome, isSpent };
}
