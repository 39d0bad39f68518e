/**
 * One cycle for each group of files that import each other in a circle, as the files along it.
 * Depth first without recursion, so a long chain can't overflow.
 * @param {Map<string, string[]>} imports for each file, the files that it imports
 * @returns {string[][]}
 */
export function findCycles(imports) {
  const finished = new Set();
  const cycles = [];
  for (const start of imports.keys()) {
    /** @type {{ file: string, rest: string[] }[]} */
    const trail = [];
    const onTrail = new Set();
    const enter = (file) => {
      trail.push({ file, rest: [...(imports.get(file) ?? [])] });
      onTrail.add(file);
    };
    if (!finished.has(start)) enter(start);
    while (trail.length > 0) {
      const { file, rest } = trail[trail.length - 1];
      const next = rest.pop();
      if (next === undefined) {
        trail.pop();
        onTrail.delete(file);
        finished.add(file);
      } else if (onTrail.has(next)) {
        const files = trail.map((step) => step.file);
        cycles.push([...files.slice(files.indexOf(next)), next]);
      } else if (!finished.has(next)) {
        enter(next);
      }
    }
  }
  return cycles;
}
