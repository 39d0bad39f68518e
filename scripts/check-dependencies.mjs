// Which part of the product may import which: see lib/layers.mjs. Fails on a breach and on a cycle.
import { checkDependencies } from './lib/dependency-rule.mjs';
import { ROOT } from './lib/paths.mjs';

const { problems, files } = await checkDependencies(process.argv[2] ?? ROOT);
console.log(problems.length > 0 ? problems.join('\n') : `The imports of ${files} files go in the right direction.`);
process.exitCode = problems.length > 0 || files === 0 ? 1 : 0;
