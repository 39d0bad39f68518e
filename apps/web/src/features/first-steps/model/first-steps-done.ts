import { paths } from '../../../lib/paths.ts';

/** The organization's data that determine the first steps. */
export type SetupProgress = {
  /** The newest draft that isn't live yet. */
  draft: { key: string; id: string } | null;
  liveKey: string | null;
  hasRuns: boolean;
  /** In a team: whether there are other members. Null for a personal account. */
  hasColleagues: boolean | null;
};

type StepName = 'write' | 'invite' | 'live' | 'run';
export type FirstStep = {
  name: StepName;
  title: string;
  about: string;
  isDone: boolean;
  /** Where the step is done; null if that is the current page. */
  action: { label: string; to: string } | null;
};

/** The steps to a first run, in order; a live version means that the review is done too. */
export function firstSteps({ draft, liveKey, hasRuns, hasColleagues }: SetupProgress): FirstStep[] {
  const isLive = liveKey !== null;
  const inTeam = hasColleagues !== null;
  const write: FirstStep = {
    name: 'write',
    title: 'Write a workflow',
    about: 'Begin with a template and change what is different with you: who does each step, and how long it may take.',
    isDone: isLive || draft !== null,
    action: null,
  };
  const invite: FirstStep = {
    name: 'invite',
    title: 'Invite a reviewer',
    about: 'What one person wrote, another one approves. Nothing goes live unread.',
    isDone: isLive || hasColleagues === true,
    action: { label: 'Invite', to: paths.members },
  };
  const live: FirstStep = {
    name: 'live',
    title: 'Make it live',
    about: inTeam
      ? 'Submit the draft for review. Once it is approved and merged, it is the version that everyone works by.'
      : 'Publish the draft: from then on it is the version that runs follow.',
    isDone: isLive,
    action: draft && { label: 'Open the draft', to: paths.editor({ key: draft.key, mode: 'edit', draftId: draft.id }) },
  };
  const run: FirstStep = {
    name: 'run',
    title: 'Start a run',
    about: 'The workflow carried out once, step by step, with its clocks and its history.',
    isDone: hasRuns,
    action: liveKey === null ? null : { label: 'Start a run', to: paths.startRun(liveKey) },
  };
  return inTeam ? [write, invite, live, run] : [write, live, run];
}
