import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  type QuickJSContext,
  type QuickJSHandle,
  newQuickJSWASMModuleFromVariant,
  newVariant,
} from 'quickjs-emscripten-core';
import type { SandboxOutcome } from '../../kernel/sandbox.ts';
import { SANDBOX_LIMITS, TOO_LARGE, tooSlow } from './limits.ts';
import type { SandboxRequest } from './requests.ts';
import { storableJson, storableText } from './storable-json.ts';

const PAGES = SANDBOX_LIMITS.memoryMb * 16;
const STACK_BYTES = 160 * 1024;
/** Number of lines that QuickJS adds before the body of a function. */
const LINES_BEFORE_BODY = 2;
const UNSAID = 'It failed without giving a reason';

// Stores the functions that it needs before the script runs. If a script changes them, it can only corrupt its own
// result.
const PRELUDE = `((parse, stringify, Make, text) => ({
  call(input, body, write) {
    const { outputs, run, step } = parse(input);
    const shown = (part) => {
      if (typeof part === 'string') return part;
      try {
        return stringify(part) ?? text(part);
      } catch {
        return text(part);
      }
    };
    const log = (...parts) => write(stringify(parts.map(shown).join(' ').slice(0, ${SANDBOX_LIMITS.logLine})));
    return Make('outputs', 'run', 'step', 'log', body)(outputs, run, step, log);
  },
  toJson: (value) => stringify(value) ?? 'null',
}))(JSON.parse, JSON.stringify, Function, String)`;

let compiled: Promise<WebAssembly.Module> | null = null;
const engine = (): Promise<WebAssembly.Module> =>
  (compiled ??= readFile(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')).then(
    (bytes) => WebAssembly.compile(bytes),
  ));

/** Loads the engine in advance, so that the first script isn't slower than later ones. */
export const prepareEngine = async (): Promise<void> => void (await engine());

type Script = Omit<SandboxRequest, 'kind'>;

/**
 * Runs a script in a separate engine whose memory is allocated at full size from the start. The script's changes to the
 * engine end with the engine. No allocation can exceed the limit, which the engine itself doesn't enforce everywhere.
 */
export async function runScript({ text, timeoutMs, input }: Script): Promise<SandboxOutcome & { isSpent: boolean }> {
  const wasmMemory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule: await engine(), wasmMemory }),
  );
  const deadline = performance.now() + timeoutMs;
  let isLate = false;
  const log = openLog();
  try {
    const runtime = quickjs.newRuntime();
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => (isLate ||= performance.now() > deadline));
    const context = runtime.newContext();
    try {
      const value = storableJson(valueOf(context, { text, input, write: log.write }));
      return { outcome: 'returned', value, log: log.lines(), isSpent: false };
    } catch (error) {
      if (!(error instanceof ScriptProblem)) throw error;
      const reason = isLate ? tooSlow(timeoutMs) : error.message;
      return { outcome: 'failed', reason: storableText(reason), log: log.lines(), isSpent: reason === TOO_LARGE };
    }
    // Nothing is freed separately, because the whole engine is dropped.
  } catch (error) {
    // The engine itself failed, for example because of a stack overflow.
    const reason = error instanceof RangeError ? 'Too many nested calls' : TOO_LARGE;
    return { outcome: 'failed', reason: isLate ? tooSlow(timeoutMs) : reason, log: log.lines(), isSpent: true };
  }
}

/** An error in the script, described for its author. */
class ScriptProblem extends Error {}

function valueOf(
  context: QuickJSContext,
  { text, input, write }: { text: string; input: Script['input']; write: (json: () => string) => void },
): string {
  const prelude = unwrap(context, context.evalCode(PRELUDE));
  const writer = context.newFunction('write', (line) => write(() => context.getString(line)));
  const args = [context.newString(JSON.stringify(input)), context.newString(text), writer];
  const called = context.callFunction(context.getProp(prelude, 'call'), context.undefined, args);
  const value = resolved(context, unwrap(context, called));
  const json = unwrap(context, context.callFunction(context.getProp(prelude, 'toJson'), context.undefined, value));
  const length = context.getNumber(context.getProp(json, 'length'));
  if (length > SANDBOX_LIMITS.value) {
    throw new ScriptProblem(
      `It returned ${length} characters of JSON; the limit for an output is ${SANDBOX_LIMITS.value}`,
    );
  }
  return context.getString(json);
}

/** Returns the value or, if it is a promise, its result. A script can't wait for anything asynchronous. */
function resolved(context: QuickJSContext, value: QuickJSHandle): QuickJSHandle {
  const state = context.getPromiseState(value);
  if (state.type === 'fulfilled' && state.notAPromise) return value;
  const jobs = context.runtime.executePendingJobs();
  if (jobs.error) throw problemOf(jobs.error.context, jobs.error);
  const after = context.getPromiseState(value);
  if (after.type === 'pending') throw new ScriptProblem('It waits for something that never happens');
  return unwrap(context, after.type === 'rejected' ? { error: after.error } : { value: after.value });
}

function unwrap(
  context: QuickJSContext,
  result: { error: QuickJSHandle } | { value: QuickJSHandle; error?: undefined },
): QuickJSHandle {
  if (result.error) throw problemOf(context, result.error);
  return result.value;
}

function problemOf(context: QuickJSContext, error: QuickJSHandle): ScriptProblem {
  const part = (name: string): string => {
    const value = context.getProp(error, name);
    return context.typeof(value) === 'string' ? context.getString(value).slice(0, SANDBOX_LIMITS.reason) : '';
  };
  if (context.typeof(error) === 'string') {
    return new ScriptProblem(context.getString(error).slice(0, SANDBOX_LIMITS.reason) || UNSAID);
  }
  if (context.typeof(error) !== 'object' || context.sameValue(error, context.null)) return new ScriptProblem(UNSAID);
  const [name, message] = [part('name'), part('message')];
  if (name === 'InternalError' && message === 'out of memory') return new ScriptProblem(TOO_LARGE);
  if (name === 'InternalError' && message === 'stack overflow') return new ScriptProblem('Too many nested calls');
  const line = Number(/<input>:(\d+)/.exec(part('stack'))?.[1] ?? 0) - LINES_BEFORE_BODY;
  // The author wrote the message of a plain `Error`, so it is shown unchanged.
  const description = name === 'Error' ? message : [name, message].filter(Boolean).join(': ');
  return new ScriptProblem(`${description || UNSAID}${line > 0 ? ` (line ${line})` : ''}`);
}

/** Collects log lines, which arrive as JSON, up to the limits of their number and length. */
function openLog() {
  const lines: string[] = [];
  let length = 0;
  let leftOut = 0;
  return {
    write: (json: () => string): void => {
      const isFull = lines.length >= SANDBOX_LIMITS.logLines || length >= SANDBOX_LIMITS.log;
      const line = isFull ? null : storableJson(json());
      if (typeof line === 'string') lines.push(line.slice(0, SANDBOX_LIMITS.logLine));
      else leftOut += 1;
      length += lines.at(-1)?.length ?? 0;
    },
    lines: (): string[] =>
      leftOut === 0 ? lines : [...lines, `… ${leftOut} more ${leftOut === 1 ? 'line' : 'lines'}`],
  };
}
