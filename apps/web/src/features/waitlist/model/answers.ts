import type { BodyInput } from '@stet/contract';
import { OTHER } from '@stet/domain/waitlist';
import type { ApplicantRole, DocumentationTool, Frequency, TeamTool } from '@stet/domain/waitlist';

/** An applicant's answers so far, as they were typed (specification, section 3). */
export type Answers = {
  email: string;
  role: ApplicantRole | null;
  otherRole: string;
  documentationTools: readonly DocumentationTool[];
  otherDocumentationTool: string;
  teamTools: readonly TeamTool[];
  otherTeamTool: string;
  frustrations: string;
  processTypes: string;
  collaborationSize: string;
  frequency: Frequency | null;
};

export const NO_ANSWERS: Answers = {
  email: '',
  role: null,
  otherRole: '',
  documentationTools: [],
  otherDocumentationTool: '',
  teamTools: [],
  otherTeamTool: '',
  frustrations: '',
  processTypes: '',
  collaborationSize: '',
  frequency: null,
};

/** Adds an option to the list or removes it. The list is in the options' order. */
export function toggled<Option>(options: readonly Option[], picked: readonly Option[], option: Option): Option[] {
  return options.filter((each) => (each === option ? !picked.includes(each) : picked.includes(each)));
}

export type ApplicationBody = BodyInput<'POST /api/waitlist/priority-application'>;

/** The answers as sent: trimmed, with text for Other only if Other is chosen. */
export function applicationBody(answers: Answers): ApplicationBody {
  const { documentationTools, teamTools } = answers;
  // The schema refuses a missing role or frequency.
  const role = answers.role as ApplicantRole;
  const frequency = answers.frequency as Frequency;
  const ifOther = (isPicked: boolean, text: string) => (isPicked ? text.trim() : '');
  return {
    email: answers.email.trim(),
    role,
    otherRole: ifOther(role === OTHER, answers.otherRole),
    documentationTools: [...documentationTools],
    otherDocumentationTool: ifOther(documentationTools.includes(OTHER), answers.otherDocumentationTool),
    teamTools: [...teamTools],
    otherTeamTool: ifOther(teamTools.includes(OTHER), answers.otherTeamTool),
    frustrations: answers.frustrations.trim(),
    processTypes: answers.processTypes.trim(),
    collaborationSize: answers.collaborationSize.trim(),
    frequency,
  };
}
