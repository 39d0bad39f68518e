/** What happens to a workflow that is deleted: it is archived if it was ever live. */
export const deletionWords = (wasLive: boolean): string =>
  wasLive
    ? 'This workflow was live, so it will be archived. Its versions and history stay under Archived. Open runs continue, but new ones can’t be started.'
    : 'This workflow was never live, so it will be deleted with its drafts.';
