import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { askedOf, INPUT, reasonOf } from '../../testing/sandbox.ts';
import { openSandbox } from './sandbox.ts';

/** The ids of a process's children. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = / \w (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\)/, ' '))?.[1];
        return Number(parent) === pid ? [Number(name)] : [];
      } catch {
        return [];
      }
    });
}

describe('a sandbox', () => {
  const sandbox = openSandbox({ size: 2 });
  const { run, evaluate } = askedOf(sandbox);
  afterAll(() => sandbox.close());

  it.each([
    ['an endless loop', 'for (;;) {}'],
    [
      'an exception handler that catches everything',
      'for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }',
    ],
    ['endless jobs', 'const next = () => Promise.resolve().then(next); return next()'],
    ['a pattern that backtracks endlessly', 'return /^(a+)+$/.test("a".repeat(60) + "b")'],
    ['an endless sort', 'return [3, 2, 1].sort(() => { for (;;) {} })'],
    ['a getter that never ends', 'return { get a() { for (;;) {} } }'],
    ['an error that never ends', 'throw { get message() { for (;;) {} } }'],
  ])('stops %s when its time is up', async (_, script) => {
    expect(await run(script, 300)).toEqual({ outcome: 'failed', reason: 'Timed out after 0.3 seconds', log: [] });
  });

  it.each([
    ['texts', 'const all = []; for (;;) all.push("x".repeat(100000) + all.length)'],
    ['objects', 'const all = []; for (;;) all.push({ n: all.length })'],
    ['a doubling text', 'let s = "x"; for (;;) s += s + "y"'],
    ['a large array', 'return new Array(1e9).fill(0).length'],
    ['a large buffer', 'return new Uint8Array(2e9).length'],
    ['buffers', 'const all = []; for (;;) all.push(new ArrayBuffer(1 << 20))'],
    ['a large text', 'return "x".repeat(2 ** 29)'],
  ])('limits the memory of %s', async (_, script) => {
    expect(reasonOf(await run(script, 20_000))).toMatch(/too much memory|invalid array length|string too long/);
  });

  it.each([
    ['a function', 'const f = () => f() + 1; return f()'],
    ['a deeply nested value', 'let a = []; for (let n = 0; n < 100000; n++) a = [a]; return a'],
    ['a proxy', 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); return p.x'],
    ['a text to parse', 'return JSON.parse("[".repeat(100000) + "]".repeat(100000))'],
    ['code to parse', 'return eval("(".repeat(100000))'],
    ['a pattern', 'return new RegExp("(".repeat(100000) + ")".repeat(100000)).test("x")'],
  ])('survives the recursion of %s', async (_, script) => {
    expect(reasonOf(await run(script))).toMatch(/^Too many nested calls|^SyntaxError|stack overflow/);
    expect(await run('return 1')).toMatchObject({ value: 1 });
  });

  it.each([
    ['a long loop', 'for i in 1..1000000000000 return i'],
    ['loops within loops', 'count(for a in 1..99999, b in 1..99999, c in 1..99999 return a) > 1'],
    ['a search over everything', 'some i in 1..1000000000000 satisfies i < 0'],
    ['a function that calls itself', '{ f: function(x) f(x) + f(x), r: f(1) }.r'],
  ])('stops an expression with %s in time', async (_, expression) => {
    const began = performance.now();
    expect(await evaluate(expression, 1500)).toMatchObject({ outcome: 'failed' });
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(await evaluate('1 + 1')).toMatchObject({ value: 2 });
  });

  it('runs or queues jobs up to its limits, and refuses further ones', async () => {
    const small = openSandbox({ size: 1, waiting: 2 });
    const request = { orgId: 'one', script: 'return 1', timeoutMs: 30_000, input: INPUT };
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => small.run(request)));
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(results[4]).toMatchObject({ reason: { refusal: { code: 'too_many_requests' } } });
    expect(await small.run(request)).toMatchObject({ value: 1 });
    await small.close();
  });

  it('leaves a slot for other organizations if one organization runs many endless scripts', async () => {
    const shared = openSandbox({ size: 2 });
    const endless = Array.from({ length: 6 }, () =>
      shared.run({ orgId: 'attacker', script: 'for (;;) {}', timeoutMs: 60_000, input: INPUT }),
    );
    const ends = Promise.allSettled(endless);
    const ordinary = { orgId: 'ordinary', timeoutMs: 30_000, input: INPUT };
    expect(await shared.run({ ...ordinary, script: 'return 1' })).toMatchObject({ value: 1 });
    const trial = { timeoutMs: 30_000, input: INPUT, address: '203.0.113.7', isNewAccount: false };
    expect(await shared.attempt({ ...trial, script: 'return 2' })).toMatchObject({ value: 2 });
    expect(await shared.evaluate({ ...ordinary, expression: '1 + 2' })).toMatchObject({ value: 3 });
    // The scripts of the attacker don't delay the attacker's own conditions either.
    expect(await shared.evaluate({ ...ordinary, orgId: 'attacker', expression: '2 + 2' })).toMatchObject({ value: 4 });
    await shared.close();
    expect((await ends).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'rejected'));
  });

  it('evaluates conditions despite endless trials, and runs trials of established accounts despite trials by new accounts', async () => {
    const shared = openSandbox({ size: 2 });
    const trial = { script: 'for (;;) {}', timeoutMs: 10_000, input: INPUT };
    const endless = Array.from({ length: 16 }, (_, n) =>
      shared.attempt({ ...trial, address: `203.0.113.${n % 4}`, isNewAccount: true }),
    );
    let ended = 0;
    const ends = Promise.allSettled(endless.map(async (each) => each.finally(() => (ended += 1))));
    const input = INPUT;
    for (const orgId of ['attacker', 'ordinary'])
      expect(await shared.evaluate({ orgId, expression: '2 + 2', timeoutMs: 10_000, input })).toMatchObject({
        value: 4,
      });
    const established = { ...trial, script: 'return 1', address: '203.0.113.0', isNewAccount: false };
    expect(await shared.attempt(established)).toMatchObject({ value: 1 });
    // None of the endless trials had ended before that.
    expect(ended).toBe(0);
    await shared.close();
    await ends;
  });

  it('refuses more trials from an address that has too many waiting, but not from other addresses', async () => {
    const shared = openSandbox({ size: 2 });
    const trial = { script: 'for (;;) {}', timeoutMs: 300, input: INPUT, isNewAccount: true };
    const results = Promise.allSettled(
      Array.from({ length: 12 }, () => shared.attempt({ ...trial, address: '203.0.113.1' })),
    );
    const other = await shared.attempt({
      ...trial,
      script: 'return 1',
      timeoutMs: 20_000,
      address: '203.0.113.2',
    });
    expect(other).toMatchObject({ value: 1 });
    const statuses = (await results).map(({ status }) => status);
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 'fulfilled'), 'rejected', 'rejected', 'rejected']);
    await shared.close();
  });

  it.runIf(process.getuid?.() === 0)('runs as a user that owns no files if the server is root', async () => {
    const before = new Set(childrenOf(process.pid));
    const other = openSandbox({
      size: 1,
      onStaysRoot: () => {
        throw new Error('it is still root');
      },
    });
    const request = { orgId: 'one', timeoutMs: 30_000, input: INPUT };
    expect(await other.run({ ...request, script: 'return 1' })).toMatchObject({ value: 1 });
    expect(await other.evaluate({ ...request, expression: '1 + 1' })).toMatchObject({ value: 2 });
    const made = childrenOf(process.pid).filter((pid) => !before.has(pid));
    expect(made.length).toBeGreaterThan(0);
    for (const pid of made) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(status).toMatch(/^Uid:\t65531\t65531\t65531\t65531$/m);
      expect(status).toMatch(/^Gid:\t65531\t65531\t65531\t65531$/m);
      expect(status).toMatch(/^Groups:\t\s*$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
    }
    await other.close();
  });

  it('ends its processes when it closes, and rejects their unfinished work', async () => {
    const other = openSandbox({ size: 2 });
    const before = new Set(childrenOf(process.pid));
    const running = other.run({ orgId: 'one', script: 'for (;;) {}', timeoutMs: 60_000, input: INPUT });
    const refusal = running.then(
      () => 'none',
      (error: Error) => error.message,
    );
    await expect.poll(() => childrenOf(process.pid).filter((pid) => !before.has(pid)).length).toBe(1);
    await other.close();
    expect(await refusal).toBe('the sandbox is closed');
    await expect.poll(() => childrenOf(process.pid).filter((pid) => !before.has(pid))).toEqual([]);
    await expect(other.run({ orgId: 'one', script: '', timeoutMs: 1000, input: INPUT })).rejects.toThrow('closed');
  });

  it('ends a process that has been idle too long', async () => {
    const before = new Set(childrenOf(process.pid));
    const other = openSandbox({ size: 1, idleMs: 50 });
    await other.run({ orgId: 'one', script: '', timeoutMs: 30_000, input: INPUT });
    await expect.poll(() => childrenOf(process.pid).filter((pid) => !before.has(pid))).toEqual([]);
    await other.close();
  });
});
