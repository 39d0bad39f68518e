/** The names that lead a condition's results there. Where a result leads to several steps, the other one is named. */
export function branchesOf(
  onYes: readonly string[],
  onNo: readonly string[],
): { trueNext?: string; falseNext?: string } {
  const [trueNext, ...moreYes] = onYes;
  const [falseNext, ...moreNo] = onNo;
  return {
    ...(trueNext !== undefined && (moreYes.length === 0 || moreNo.length > 0) && { trueNext }),
    ...(falseNext !== undefined && moreNo.length === 0 && { falseNext }),
  };
}
