import { type ChangeFinding, FINDING_CODES, type FindingCode, isAlarm } from '../findings/finding.ts';

/** Codes that a route can't name: those that need no approval, and `unclassified`, which every route reacts to. */
type Unrouted = 'unclassified' | 'restored_version' | 'new_workflow' | 'text_only';
const UNROUTED: readonly FindingCode[] = ['unclassified', 'restored_version', 'new_workflow', 'text_only'];
export type RoutedCode = Exclude<FindingCode, Unrouted>;
const isRouted = (code: FindingCode): code is RoutedCode => !UNROUTED.includes(code);

/**
 * The findings that a route reacts to. `loss`: all that may weaken a control. `unknown`: all that only a person can
 * judge.
 */
export type RouteTrigger = 'loss' | 'unknown' | RoutedCode;
export const ROUTE_TRIGGERS: readonly RouteTrigger[] = ['loss', 'unknown', ...FINDING_CODES.filter(isRouted)];

/** Maximum number of routes in an organization. */
export const MAX_ROUTES = 50;

/**
 * A rule about reviews: if a draft of a workflow with this tag has such a finding, one member of the group has to
 * approve it. `tag` is null for all workflows; `group` is a slug.
 */
export type ReviewRoute = { if: RouteTrigger; tag: string | null; group: string };

/** A group that has to approve a draft, and the findings that require it. */
export type Requirement = { group: string; because: ChangeFinding[] };

/**
 * Returns whether a route's group has to approve a draft because of this finding. A `loss` route also reacts to changes
 * whose effect is unknown.
 */
function asksAbout({ if: trigger }: ReviewRoute, finding: ChangeFinding): boolean {
  if (finding.code === 'unclassified') return true;
  if (!isAlarm(finding)) return false;
  if (trigger === 'loss' || trigger === finding.effect || trigger === finding.code) return true;
  return 'covers' in finding && finding.covers.some((code) => code === trigger);
}

/**
 * Returns the groups that have to approve a draft of a workflow with these tags, each once, in the order of the routes.
 */
export function requirementsOf(
  findings: readonly ChangeFinding[],
  tags: readonly string[],
  routes: readonly ReviewRoute[],
): Requirement[] {
  const requirements = new Map<string, Set<ChangeFinding>>();
  for (const route of routes) {
    if (route.tag !== null && !tags.includes(route.tag)) continue;
    const asked = findings.filter((finding) => asksAbout(route, finding));
    if (asked.length === 0) continue;
    const because = requirements.get(route.group) ?? new Set();
    for (const finding of asked) because.add(finding);
    requirements.set(route.group, because);
  }
  return [...requirements].map(([group, because]) => ({
    group,
    because: findings.filter((finding) => because.has(finding)),
  }));
}

/** Returns whether the first route reacts to everything to which the second one reacts, and names the same group. */
const covers = (wide: ReviewRoute, narrow: ReviewRoute): boolean =>
  wide.group === narrow.group &&
  (wide.tag === null || wide.tag === narrow.tag) &&
  (wide.if === narrow.if || wide.if === 'loss');

/** Returns whether a group might have to approve fewer changes under the new routes than under the old ones. */
export const weakensRoutes = (before: readonly ReviewRoute[], after: readonly ReviewRoute[]): boolean =>
  before.some((route) => !after.some((wide) => covers(wide, route)));
