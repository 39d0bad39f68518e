import { afterAll, describe, expect, it } from 'vitest';
import { askedOf, reasonOf } from '../../testing/sandbox.ts';
import { openSandbox } from './sandbox.ts';

describe('a sandbox', () => {
  const sandbox = openSandbox({ size: 2 });
  const { run, evaluate } = askedOf(sandbox);
  afterAll(() => sandbox.close());

  it.each<[string, unknown]>([
    ['return 1 + 1', 2],
    ['return outputs.first.text + " " + run.name + " " + step.title', 'hello A run Second'],
    ['return { list: [1, "x", null], when: new Date(0) }', { list: [1, 'x', null], when: '1970-01-01T00:00:00.000Z' }],
    ['', null],
    ['return undefined', null],
    ['return () => 1', null],
    ['return NaN', null],
    ['return Promise.resolve({ later: true })', { later: true }],
    ['return (async () => { await null; return [await 3]; })()', [3]],
    ['return "zero \\u0000 and half \\ud800"', 'zero \uFFFD and half \uFFFD'],
    ['return { "a\\u0000": "\\udfff" }', { 'a\uFFFD': '\uFFFD' }],
    ['JSON.stringify = () => "tampered"; return 5', 5],
  ])('returns the result of %j as JSON that can be stored', async (script, value) => {
    expect(await run(script)).toEqual({ outcome: 'returned', value, log: [] });
  });

  it.each([
    ['throw new Error("The rate is missing")', 'The rate is missing (line 1)'],
    ['\n  return nothing.here', "ReferenceError: 'nothing' is not defined (line 2)"],
    ['return }', /^SyntaxError: /],
    ['throw "just text"', 'just text'],
    ['throw null', 'It failed without giving a reason'],
    ['throw 7', 'It failed without giving a reason'],
    ['throw { toString() { throw 1 } }', 'It failed without giving a reason'],
    ['const a = []; a.push(a); return a', /^TypeError: circular reference/],
    ['return Promise.reject(new TypeError("no"))', /^TypeError: no/],
    ['return new Promise(() => {})', 'It waits for something that never happens'],
    ['return "x".repeat(200000)', /^It returned 200002 characters of JSON; the limit for an output is 100000/],
    ['return 10n', /BigInt/],
  ])('explains why %j failed', async (script, reason) => {
    expect(await run(script)).toEqual({
      outcome: 'failed',
      reason: reason instanceof RegExp ? (expect.stringMatching(reason) as string) : reason,
      log: [],
    });
  });

  it('returns the log of a script, including a failed one, and limits its size', async () => {
    expect(await run('log("one", { two: 2 }, undefined, 3n); log("\\u0000")')).toMatchObject({
      log: ['one {"two":2} undefined 3', '\uFFFD'],
    });
    expect(await run('log("before"); throw new Error("x")')).toMatchObject({ outcome: 'failed', log: ['before'] });
    const { log } = await run('for (let n = 0; n < 5000; n++) log("y".repeat(50))');
    expect(log).toHaveLength(201);
    expect(log.at(-1)).toBe('… 4800 more lines');
    const long = await run('log("z".repeat(1e6)); for (let n = 0; n < 300; n++) log("z".repeat(5000))');
    expect(long.log.join('').length).toBeLessThan(21_100);
  });

  it('gives a script access only to its input', async () => {
    const probes = [
      'process',
      'require',
      'module',
      'fetch',
      'XMLHttpRequest',
      'WebAssembly',
      'setTimeout',
      'setInterval',
    ];
    const more = [
      'global',
      'window',
      'self',
      'Deno',
      'Bun',
      'std',
      'os',
      'print',
      'console',
      'navigator',
      'SharedArrayBuffer',
    ];
    const probed = await run(
      `return [${[...probes, ...more].map((name) => `typeof ${name}`).join()}].concat(typeof globalThis.constructor.constructor('return this')().process)`,
    );
    const value = probed.outcome === 'returned' ? (probed.value as string[]) : [];
    expect(value).toHaveLength(probes.length + more.length + 1);
    expect(value.filter((type) => type !== 'undefined' && type !== 'function')).toEqual([]);
    expect(value.slice(0, 8)).toEqual(probes.map(() => 'undefined'));
    for (const script of [
      'return import("node:fs")',
      'import fs from "node:fs"',
      'return import("data:text/javascript,1")',
    ]) {
      expect(await run(script)).toMatchObject({ outcome: 'failed' });
    }
    expect(await run('return arguments.callee.caller')).toMatchObject({ value: null });
  });

  it('shares nothing between two scripts', async () => {
    await run(
      'globalThis.kept = 1; Object.prototype.polluted = 1; Array.prototype.map = null; Function.prototype.call = null',
    );
    for (let n = 0; n < 3; n++) {
      expect(await run('return [typeof kept, ({}).polluted, typeof [].map, typeof log.call].join()')).toMatchObject({
        value: 'undefined,,function,function',
      });
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['first.n > 1', true],
    ['outputs.first.text = "bye"', false],
    ['run.name', 'A run'],
    ['[1, 2, 3][item > 1]', [2, 3]],
  ])('evaluates %j', async (expression, value) => {
    expect(await evaluate(expression)).toEqual({ outcome: 'returned', value, log: [] });
  });

  it.each([
    ['first.n >', 'The expression is incomplete'],
    ['nothing > 1', /'nothing' not found/],
    ['process', /'process' not found/],
    ['first.constructor', /not found/],
    ['(((1', 'The expression is incomplete'],
  ])('explains why %j can’t be evaluated', async (expression, reason) => {
    expect(reasonOf(await evaluate(expression))).toMatch(reason);
  });
});
