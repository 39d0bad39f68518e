import type { Member, RunSummary, WorkflowCounts, WorkflowSummary } from '@stet/contract';
import { displayTitle } from '@stet/domain/workflows';
import { Layers, Play, Tag, User } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { counted } from '../../../lib/format/number.ts';
import { paths } from '../../../lib/paths.ts';
import { type Command, matchingCommands } from './command.ts';

/** A line in the palette. It opens an address or performs a command. `id` is unique in the palette. */
export type Choice = { id: string; label: string; icon: LucideIcon } & (
  | { to: string; about: string; status?: string }
  | Pick<Command, 'run' | 'keys'>
);
type ChoiceGroup = { name: string; choices: readonly Choice[] };

type Found = {
  workflows: readonly WorkflowSummary[];
  tags: WorkflowCounts['tags'];
  runs: readonly RunSummary[];
  people: readonly Member[];
};

/**
 * The palette's lines. Without a search text: recent workflows, the newest runs, then commands. With one: the commands,
 * workflows, tags, runs and people that match it.
 */
export function choiceGroups(commands: readonly Command[], found: Found, typed: string): ChoiceGroup[] {
  const runs = { name: typed === '' ? 'Newest runs' : 'Runs', choices: found.runs.map(ofRun) };
  const workflows = {
    name: typed === '' ? 'Recent workflows' : 'Workflows',
    choices: found.workflows.map(ofWorkflow),
  };
  const tags = { name: 'Tags', choices: found.tags.map(ofTag) };
  const people = { name: 'People', choices: found.people.map(ofMember) };
  const actions = { name: 'Commands', choices: matchingCommands(commands, typed).map(ofCommand) };
  const groups = typed === '' ? [workflows, runs, actions] : [actions, workflows, tags, runs, people];
  return groups.filter(({ choices }) => choices.length > 0);
}

const ofCommand = ({ label, icon, run, keys }: Command): Choice => ({
  id: `command-${label.replaceAll(/\W+/g, '-')}`,
  label,
  icon,
  run,
  ...(keys && { keys }),
});

const ofWorkflow = ({ key, metadata, status }: WorkflowSummary): Choice => ({
  id: `workflow-${key}`,
  label: displayTitle(key, metadata.title),
  icon: Layers,
  to: paths.document(key),
  about: key,
  status,
});

/** Opens the list of the workflows with the tag. */
const ofTag = ({ tag, count }: Found['tags'][number]): Choice => ({
  id: `tag-${tag}`,
  label: tag,
  icon: Tag,
  to: paths.documentation({ tag }),
  about: counted(count, 'workflow'),
});

const ofRun = ({ id, name, workflowTitle, status }: RunSummary): Choice => ({
  id: `run-${id}`,
  label: name,
  icon: Play,
  to: paths.run(id),
  about: workflowTitle,
  status,
});

const ofMember = ({ id, name, email }: Member): Choice => ({
  id: `person-${id}`,
  label: name,
  icon: User,
  to: paths.members,
  about: email,
});
