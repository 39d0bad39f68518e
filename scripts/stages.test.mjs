import { describe, expect, it, vi } from 'vitest';
import { readPlaywrightReport, readReport, readVitestReport } from './lib/reports.mjs';
import { chooseStages, countLine, runStages } from './lib/run-stages.mjs';
import { check, judge } from './lib/stages.mjs';

const outcome = (passed, failures = [], skipped = 0) => ({ passed, failed: failures.length, skipped, failures });
const stage = (name, result = outcome(1)) => ({ name, run: async () => result });

async function printed(stages) {
  const lines = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line));
  try {
    return { ok: await runStages(stages), text: lines.join('\n') };
  } finally {
    log.mockRestore();
  }
}

describe('the stages', () => {
  it('all run before the last line shows the total counts', async () => {
    const { ok, text } = await printed([
      stage('types'),
      stage('unit', outcome(3, ['sum: 2 is not 3'])),
      stage('e2e', outcome(2)),
    ]);
    expect(ok).toBe(false);
    expect(text).toContain('✗ unit: sum: 2 is not 3');
    expect(text.split('\n').at(-1)).toBe('6 passed, 1 failed');
  });

  it('pass if nothing failed', async () => {
    expect((await printed([stage('types'), stage('unit', outcome(3))])).ok).toBe(true);
  });

  it('don’t run if a stage that they need failed, and count as failed', async () => {
    const journeys = { ...stage('e2e', outcome(5)), needs: 'build' };
    const { text } = await printed([stage('build', outcome(0, ['no such module'])), journeys]);
    expect(text).toContain('✗ e2e: Not run, because build failed.');
    expect(text.split('\n').at(-1)).toBe('0 passed, 2 failed');
    expect((await printed([stage('build'), journeys])).ok).toBe(true);
  });

  it('mention skipped tests only if there are any', () => {
    expect(countLine([outcome(3), outcome(2, [], 1)])).toBe('5 passed, 0 failed, 1 skipped');
    expect(countLine([outcome(3)])).toBe('3 passed, 0 failed');
  });

  it('can be chosen by name', () => {
    const stages = ['types', 'unit', 'e2e'].map((name) => stage(name));
    expect(chooseStages(stages, ['--only=e2e,types']).map(({ name }) => name)).toEqual(['types', 'e2e']);
    expect(chooseStages(stages, [])).toBe(stages);
    expect(() => chooseStages(stages, ['--only=tpyes'])).toThrow(
      'No stage is named tpyes. The stages are: types, unit, e2e.',
    );
  });
});

describe('checks', () => {
  it('are all run, and report their failures in the order of the commands', async () => {
    const fail = (word, ms) => ['-e', `setTimeout(() => { console.log('${word}'); process.exit(1); }, ${ms})`];
    const { passed, failed, failures } = await check([
      fail('slow', 1500),
      ['-e', 'setTimeout(() => {}, 500)'],
      fail('fast', 0),
      ['-e', 'process.exit(3)'],
    ]);
    expect({ passed, failed, failures }).toEqual({
      passed: 0,
      failed: 1,
      failures: ['slow\nfast\n-e exited with code 3'],
    });
    expect(
      await check([
        ['-e', ''],
        ['-e', ''],
      ]),
    ).toMatchObject({ passed: 1, failed: 0 });
  });
});

describe('a test runner', () => {
  it('counts as failed if it ran no tests', () => {
    expect(judge(outcome(0), 0)).toMatchObject({ failed: 1, failures: ['It ran no tests.'] });
  });

  it('counts as failed if its exit code is not 0, even without a failed test', () => {
    expect(judge(outcome(4), 1)).toMatchObject({ passed: 4, failed: 1 });
  });

  it('keeps its report’s counts if it passed, or if tests failed', () => {
    expect(judge(outcome(4), 0)).toEqual(outcome(4));
    expect(judge(outcome(4, ['x']), 1)).toEqual(outcome(4, ['x']));
  });

  it('has no counts without a report', () => {
    expect(readReport('/nowhere/report.json', readVitestReport)).toBeUndefined();
  });
});

describe('a vitest report', () => {
  it('counts tests, and counts a file that could not be loaded as one failed test', () => {
    const report = {
      numPassedTests: 2,
      numPendingTests: 1,
      numTodoTests: 0,
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed' },
            { status: 'failed', fullName: 'sum adds', failureMessages: ['expected 2 to be 3'] },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
      ],
    };
    expect(readVitestReport(report)).toEqual({
      passed: 2,
      failed: 2,
      skipped: 1,
      failures: ['a.test.ts: sum adds\nexpected 2 to be 3', 'b.test.ts\nSyntaxError'],
    });
  });
});

describe('a Playwright report', () => {
  it('counts tests in nested suites and errors outside of tests', () => {
    const broken = {
      ok: false,
      file: 'a.spec.ts',
      title: 'signs up',
      tests: [{ results: [{ errors: [{ message: 'no button' }] }] }],
    };
    const report = {
      errors: [{ message: 'no server' }],
      stats: { expected: 3, flaky: 1, skipped: 0, unexpected: 1 },
      suites: [{ specs: [{ ok: true }], suites: [{ specs: [broken] }] }],
    };
    expect(readPlaywrightReport(report)).toEqual({
      passed: 4,
      failed: 2,
      skipped: 0,
      failures: ['no server', 'a.spec.ts: signs up\nno button'],
    });
  });
});
