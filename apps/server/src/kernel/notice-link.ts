export type About = { run_id: string | null; workflow_key: string | null; draft_id: string | null };

/** Where something that people are told leads: a page that shows it, and does nothing by being opened. */
export function noticeLink(publicUrl: string, { run_id: runId, workflow_key: key, draft_id: id }: About): string {
  if (key !== null && id !== null) return `${publicUrl}/app/review?${new URLSearchParams({ key, id }).toString()}`;
  return runId === null ? `${publicUrl}/app` : `${publicUrl}/app/runs/${runId}`;
}
