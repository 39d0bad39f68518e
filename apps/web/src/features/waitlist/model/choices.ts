import { APPLICANT_ROLES, DOCUMENTATION_TOOLS, FREQUENCIES, OTHER, TEAM_TOOLS } from '@stet/domain/waitlist';
import { toggled } from './answers.ts';
import type { Answers } from './answers.ts';
import type { Step } from './steps.ts';

type OtherKey = 'otherRole' | 'otherDocumentationTool' | 'otherTeamTool';

export type ChoiceQuestion = {
  kind: 'one' | 'any';
  options: readonly string[];
  picked: readonly string[];
  /** The field for custom text. It is shown while Other is chosen. */
  other: { key: OtherKey; label: string } | null;
  /** The answers after an option was chosen. If several options are allowed, choosing one again deselects it. */
  pick: (option: string) => Answers;
};

const asList = <Option>(option: Option | null): Option[] => (option === null ? [] : [option]);

function oneOf<Option extends string>(
  options: readonly Option[],
  current: Option | null,
  change: (option: Option | null) => Answers,
) {
  return {
    kind: 'one' as const,
    options,
    picked: asList(current),
    pick: (option: string) => change(options.find((each) => each === option) ?? current),
  };
}

function anyOf<Option extends string>(
  options: readonly Option[],
  current: readonly Option[],
  change: (picked: Option[]) => Answers,
) {
  return {
    kind: 'any' as const,
    options,
    picked: current,
    pick: (option: string) => {
      const known = options.find((each) => each === option);
      return change(known === undefined ? [...current] : toggled(options, current, known));
    },
  };
}

/** A step's choices, or null if it has none (specification, section 3). */
export function choiceOf(step: Step, answers: Answers): ChoiceQuestion | null {
  const other = (key: OtherKey, label: string, picked: readonly string[]) =>
    picked.includes(OTHER) ? { key, label } : null;
  switch (step) {
    case 'role':
      return {
        ...oneOf(APPLICANT_ROLES, answers.role, (role) => ({ ...answers, role })),
        other: other('otherRole', 'What is your role?', asList(answers.role)),
      };
    case 'documentation-tools':
      return {
        ...anyOf(DOCUMENTATION_TOOLS, answers.documentationTools, (documentationTools) => ({
          ...answers,
          documentationTools,
        })),
        other: other('otherDocumentationTool', 'Which other tool?', answers.documentationTools),
      };
    case 'team-tools':
      return {
        ...anyOf(TEAM_TOOLS, answers.teamTools, (teamTools) => ({ ...answers, teamTools })),
        other: other('otherTeamTool', 'Which other tool?', answers.teamTools),
      };
    case 'frequency':
      return { ...oneOf(FREQUENCIES, answers.frequency, (frequency) => ({ ...answers, frequency })), other: null };
    case 'start':
    case 'email':
    case 'frustrations':
    case 'process-types':
    case 'collaboration-size':
    case 'complete':
      return null;
  }
}
