import { paths } from '../../../lib/paths.ts';

/** The organization's data that decides which steps are done. */
export type SetupProgress = {
  /** The draft that Edit opens, of the first listed workflow that has one. Null if none has. */
  draft: { key: string; id: string } | null;
  liveKey: string | null;
  hasRuns: boolean;
  /** In a team, whether there are other members. Null for a personal account. */
  hasColleagues: boolean | null;
  /** The number of pending invitations. 0 for people who can't see them. */
  pendingInvitations: number;
};

type StepName = 'write' | 'invite' | 'live' | 'run';
export type FirstStep = {
  name: StepName;
  title: string;
  about: string;
  isDone: boolean;
  /** A link to the page for the step. Null if that is the current page or doesn't exist yet. */
  action: { label: string; to: string } | null;
};

/** The steps to a first run, in order. With a live workflow, all steps before the run count as done. */
export function firstSteps({ draft, liveKey, hasRuns, hasColleagues, pendingInvitations }: SetupProgress): FirstStep[] {
  const isLive = liveKey !== null;
  const inTeam = hasColleagues !== null;
  const write: FirstStep = {
    name: 'write',
    title: 'Write a workflow',
    about: 'Start from a template, then set who does each step and how long it may take.',
    isDone: isLive || draft !== null,
    action: null,
  };
  const invite: FirstStep = {
    name: 'invite',
    title: 'Invite a reviewer',
    about:
      pendingInvitations > 0 && !hasColleagues
        ? `${pendingInvitations} ${pendingInvitations === 1 ? 'invitation' : 'invitations'} pending.`
        : 'A second person approves every change before it goes live.',
    isDone: isLive || hasColleagues === true || pendingInvitations > 0,
    action: { label: 'Invite', to: paths.invitingReviewers },
  };
  const live: FirstStep = {
    name: 'live',
    title: 'Make it live',
    about: inTeam
      ? 'Submit the draft for review. Once it is approved and merged, it is the version that everyone follows.'
      : 'Publish the draft. New runs then use it.',
    isDone: isLive,
    action: draft && { label: 'Open the draft', to: paths.editor({ key: draft.key, mode: 'edit', draftId: draft.id }) },
  };
  const run: FirstStep = {
    name: 'run',
    title: 'Start a run',
    about: 'Run the workflow once to see its steps, deadlines and history.',
    isDone: hasRuns,
    action: liveKey === null ? null : { label: 'Start a run', to: paths.startRun(liveKey) },
  };
  return inTeam ? [write, invite, live, run] : [write, live, run];
}
