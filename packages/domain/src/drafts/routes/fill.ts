/**
 * A group that has to approve. `members` says whose approval is accepted and whether it is marked, because unmarked
 * ones are preferred.
 */
export type OpenRequirement = { group: string; members: ReadonlyMap<string, { isMarked: boolean }> };

/**
 * Assigns approvals to requirements so that as many as possible are filled: each person fills at most one, and one
 * approval is enough for each. This is a maximum matching, so no approval is wasted on a requirement that someone else
 * could fill. Unmarked approvals are assigned first. O(requirements² × approvals).
 * @returns the id of the person who fills each group's requirement, by group; unfilled ones are missing
 */
export function fillRequirements(
  requirements: readonly OpenRequirement[],
  approverIds: readonly string[],
): Map<string, string> {
  const filledBy = new Map<string, OpenRequirement>();
  type Accepts = (requirement: OpenRequirement, id: string) => boolean;
  const assign = (requirement: OpenRequirement, accepts: Accepts, tried: Set<string>): boolean => {
    for (const id of approverIds) {
      if (tried.has(id) || !accepts(requirement, id)) continue;
      tried.add(id);
      const other = filledBy.get(id);
      if (other !== undefined && !assign(other, accepts, tried)) continue;
      filledBy.set(id, requirement);
      return true;
    }
    return false;
  };
  const open = requirements.filter(
    (requirement) => !assign(requirement, ({ members }, id) => members.get(id)?.isMarked === false, new Set()),
  );
  for (const requirement of open) assign(requirement, ({ members }, id) => members.has(id), new Set());
  return new Map([...filledBy].map(([id, { group }]) => [group, id]));
}
