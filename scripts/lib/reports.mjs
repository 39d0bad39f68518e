import fs from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Outcome */

/**
 * Counts the tests in a vitest JSON report.
 * @param {any} report
 * @returns {Outcome}
 */
export function readVitestReport(report) {
  const failures = [];
  for (const file of report.testResults) {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    failures.push(...failed.map((test) => `${file.name}: ${test.fullName}\n${test.failureMessages.join('\n')}`));
    // A file that can't be loaded has no tests, so it counts as one failed test.
    if (file.status === 'failed' && failed.length === 0) failures.push(`${file.name}\n${file.message}`);
  }
  const skipped = report.numPendingTests + report.numTodoTests;
  return { passed: report.numPassedTests, failed: failures.length, skipped, failures };
}

/**
 * Counts the tests in a Playwright JSON report; one that passed on a retry counts as passed.
 * @param {any} report
 * @returns {Outcome}
 */
export function readPlaywrightReport(report) {
  const specs = report.suites.flatMap(specsOf);
  const failed = specs.filter((spec) => !spec.ok);
  const failures = [
    ...report.errors.map((error) => String(error.message)),
    ...failed.map((spec) => `${spec.file}: ${spec.title}\n${messagesOf(spec).join('\n')}`),
  ];
  const { expected, flaky, skipped } = report.stats;
  return { passed: expected + flaky, failed: failures.length, skipped, failures };
}

/** @returns {any[]} */
const specsOf = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)];

/** @returns {string[]} */
const messagesOf = (spec) =>
  spec.tests.flatMap((test) => test.results.flatMap((result) => (result.errors ?? []).map((error) => error.message)));

/**
 * Reads a report; `undefined` if the runner ended before it wrote one.
 * @param {string} file
 * @param {(report: any) => Outcome} read
 */
export function readReport(file, read) {
  try {
    return read(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
