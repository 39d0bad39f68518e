import { CommandError } from './command.mjs';

/** @typedef {import('./reports.mjs').Outcome} Outcome */
/** @typedef {{ name: string, run: () => Promise<Outcome>, needs?: string }} Stage needs: the stage it depends on */

/**
 * Returns the stages named by `--only=a,b` in the arguments, or all. Refuses an unknown name.
 * @param {Stage[]} stages
 * @param {string[]} args
 */
export function chooseStages(stages, args) {
  const only = args
    .find((arg) => arg.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  if (!only) return stages;
  const names = stages.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new CommandError(`No stage is named ${unknown.join(', ')}. The stages are: ${names.join(', ')}.`);
  return stages.filter(({ name }) => only.includes(name));
}

/**
 * Runs the stages one after another. If one fails, the stages that need it are not run and count as failed; the others
 * are run. Then prints every failure and a line with the counts.
 * @param {Stage[]} stages
 * @returns {Promise<boolean>} whether all passed
 */
export async function runStages(stages) {
  /** @type {{ name: string, outcome: Outcome }[]} */
  const done = [];
  for (const { name, run, needs } of stages) {
    const started = Date.now();
    console.log(`\n── ${name}`);
    const isLost = done.some((stage) => stage.name === needs && stage.outcome.failed > 0);
    const outcome = isLost ? notRun(needs) : await run();
    done.push({ name, outcome });
    const word = outcome.failed === 0 ? 'ok' : `${outcome.failed} failed`;
    console.log(`── ${name}: ${word}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  const failures = done.flatMap(({ name, outcome }) => outcome.failures.map((text) => `✗ ${name}: ${text}`));
  if (failures.length > 0) console.log(`\n${failures.join('\n\n')}`);
  console.log(`\n${countLine(done.map(({ outcome }) => outcome))}`);
  return failures.length === 0;
}

/** @param {string | undefined} needed @returns {Outcome} */
function notRun(needed) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`Not run, because ${needed} failed.`] };
}

/** @param {Outcome[]} outcomes */
export function countLine(outcomes) {
  const sum = (field) => outcomes.reduce((total, outcome) => total + outcome[field], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
