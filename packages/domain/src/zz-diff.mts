import fc from 'fast-check';
import { controlLosses as oldLosses, controlLossesOf as oldLossesOf } from '/var/tmp/wt/review/node_modules/.old/packages/domain/src/drafts/control-loss.ts';
import { impactOf as oldImpact } from '/var/tmp/wt/review/node_modules/.old/packages/domain/src/drafts/impact.ts';
import { controlLosses, lossKind } from '/var/tmp/wt/review/packages/domain/src/drafts/findings/control-losses.ts';
import { impactOf } from '/var/tmp/wt/review/packages/domain/src/drafts/impact.ts';
import { edited, guardedWorkflow, HARMLESS, WEAKENINGS } from '/var/tmp/wt/review/packages/domain/src/drafts/findings/planted.arbitrary.ts';
import { workflowOf } from '/var/tmp/wt/review/packages/domain/src/workflows/workflow.arbitrary.ts';
const N = Number(process.argv[2] ?? 3000), seed = Number(process.argv[3] ?? 1);
const content = (steps: any) => ({ metadata: { title: 'V', description: '' }, steps });
const key = (l: any) => `${l.kind} ${l.stepId}`;
const flat = (l: any) => JSON.stringify(l);
let pairs = 0, losses = 0; const missing = new Map<string, { n: number; ex: any }>(); let more = 0; const weaker = new Map<string, any>();
function compare(befores: any[], after: any, src: string) {
  pairs++;
  let a: any[], b: any[];
  try { a = oldLossesOf(befores.map(content), content(after)) as any[]; } catch (e) { a = []; }
  try { b = controlLosses(befores.map(content), content(after)) as any[]; } catch (e) { missing.set('THROWS ' + String(e).slice(0, 80), { n: 1, ex: { befores, after } }); return; }
  losses += a.length;
  const have = new Set(b.map((l) => `${lossKind(l)} ${l.stepId}`));
  for (const l of a) if (!have.has(key(l))) { const m = missing.get(src + ' ' + l.kind) ?? { n: 0, ex: { l, b, befores, after } }; m.n++; missing.set(src + ' ' + l.kind, m); }
  // named steps inside lists
  for (const l of a) for (const n of b.filter((x) => `${lossKind(x)} ${x.stepId}` === key(l))) {
    if (l.steps) { const names = new Set(b.filter((x) => `${lossKind(x)} ${x.stepId}` === key(l)).flatMap((x: any) => ((x.how === 'between' ? x.after : x.before)?.steps ?? []).map((s: any) => s.stepId))); if (!l.steps.every((s: any) => names.has(s.stepId))) weaker.set(src + l.kind, { l, n }); }
  }
  if (b.length > a.length) more++;
  if (befores.length === 1) {
    const [x, y] = [oldImpact(content(befores[0]) as any, content(after) as any), impactOf(content(befores[0]) as any, content(after) as any)];
    for (const f of ['approvalsRemoved', 'rolesRemoved'] as const) if (flat((x as any)[f]) !== flat((y as any)[f])) { const k = 'impact ' + f; const m = missing.get(k) ?? { n: 0, ex: { x: (x as any)[f], y: (y as any)[f] } }; m.n++; missing.set(k, m); }
    if (flat(x.sla) !== flat(y.sla)) { const m = missing.get('impact sla') ?? { n: 0, ex: { x: x.sla, y: y.sla } }; m.n++; missing.set('impact sla', m); }
  }
}
for (const { before, after } of fc.sample(edited(WEAKENINGS), { seed, numRuns: N })) compare([before], after, 'weak');
for (const { before, after } of fc.sample(edited(HARMLESS), { seed, numRuns: N })) compare([before], after, 'harmless');
for (const [a, b] of fc.sample(fc.tuple(guardedWorkflow, guardedWorkflow), { seed, numRuns: N })) compare([a], b, 'any');
for (const [a, b] of fc.sample(fc.tuple(workflowOf({ maxSteps: 9 }), workflowOf({ maxSteps: 9 })), { seed, numRuns: N })) compare([a], b, 'graph');
for (const [a, b, c] of fc.sample(fc.tuple(guardedWorkflow, guardedWorkflow, guardedWorkflow), { seed, numRuns: N })) compare([a, b], c, 'two');
console.log({ pairs, losses, more });
for (const [k, v] of missing) console.log('MISSING', k, v.n, JSON.stringify(v.ex).slice(0, 1800));
for (const [k, v] of weaker) console.log('NAMES', k, JSON.stringify(v).slice(0, 600));
