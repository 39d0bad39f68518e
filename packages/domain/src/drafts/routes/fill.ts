/** Who fills a requirement: `members` are those whose approval it accepts. */
export type OpenRequirement = { group: string; members: ReadonlySet<string> };

/**
 * Assigns approvals to requirements so that as many as possible are filled: each person fills at most one, and one
 * approval is enough for each. This is a maximum matching, so nobody's approval is wasted on a requirement that someone
 * else could fill. O(requirements × approvals).
 * @returns by group, who fills its requirement
 */
export function fillRequirements(
  requirements: readonly OpenRequirement[],
  approverIds: readonly string[],
): Map<string, string> {
  const filledBy = new Map<string, OpenRequirement>();
  const assign = (requirement: OpenRequirement, tried: Set<string>): boolean => {
    for (const id of approverIds) {
      if (tried.has(id) || !requirement.members.has(id)) continue;
      tried.add(id);
      const other = filledBy.get(id);
      if (other !== undefined && !assign(other, tried)) continue;
      filledBy.set(id, requirement);
      return true;
    }
    return false;
  };
  for (const requirement of requirements) assign(requirement, new Set());
  return new Map([...filledBy].map(([id, { group }]) => [group, id]));
}
