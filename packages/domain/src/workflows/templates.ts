import type { OrgRole } from '../access/roles.ts';
import { UNASSIGNED } from './assignee.ts';
import { NEW_STEP } from './editor-rows.ts';
import { newWorkflowTitle } from './names.ts';
import { STEP_DEFAULTS } from './step-defaults.ts';
import type { Step, WorkflowContent } from './step.ts';
import { newWorkflowKey } from './workflow-key.ts';

/** The templates, in the order that the chooser shows them (specification, sections 2 and 3). */
export const TEMPLATE_IDS = ['blank', 'approval', 'customer-onboarding', 'document-review', 'project'] as const;
type TemplateId = (typeof TEMPLATE_IDS)[number];

/** `description` is the chooser's line, `purpose` the description that a new workflow gets; steps in a linear chain. */
export type Template = { id: TemplateId; name: string; description: string; purpose: string; steps: readonly Step[] };

const BLANK: Template = {
  id: 'blank',
  name: 'Blank Workflow',
  description: 'Empty, one step to begin from',
  purpose: '',
  steps: chain([manual(NEW_STEP.step, UNASSIGNED, NEW_STEP.sla, NEW_STEP.task)]),
};

const APPROVAL: Template = {
  id: 'approval',
  name: 'Approval Process',
  description: '4-step',
  purpose: 'From a written request to a decision that the requester has in hand.',
  steps: chain([
    manual(
      'Submit request',
      'editor',
      '4 hours',
      'Write down what is asked for, why it is needed, what it costs and by when. Attach the offer or document it is based on.',
    ),
    approval(
      'First review',
      '1 day',
      'Check that the request is complete and within budget. Reject with what is missing, so that the requester can mend it.',
    ),
    approval('Final approval', '2 days', 'Decide on the request. Approve, or reject with the reason in one sentence.'),
    manual(
      'Notify requester',
      'editor',
      '4 hours',
      'Tell the requester what was decided, by whom, and what happens next. Note here when and how you told them.',
    ),
  ]),
};

const CUSTOMER_ONBOARDING: Template = {
  id: 'customer-onboarding',
  name: 'Customer Onboarding',
  description: 'Standard flow, 4 steps',
  purpose: 'From a signed contract to a customer who can work with the product.',
  steps: chain([
    manual(
      'Collect information',
      'editor',
      '1 day',
      'Ask for legal name, billing address, tax number, the main contact and who else needs access. Note what is still open.',
    ),
    manual(
      'Validate data',
      'editor',
      '4 hours',
      'Check name and tax number against the public register and the contract. Ask the customer about anything that differs.',
    ),
    manual(
      'Create account',
      'editor',
      '2 hours',
      'Create the customer and the users with the plan from the contract. Sign in once as a test and note the account number.',
    ),
    manual(
      'Send welcome',
      'editor',
      '1 hour',
      'Send the welcome message with the sign-in link and the name of their contact here. Offer two dates for a first call.',
    ),
  ]),
};

const DOCUMENT_REVIEW: Template = {
  id: 'document-review',
  name: 'Document Review',
  description: '5-step',
  purpose: 'From a first version to a published document that two people have read.',
  steps: chain([
    manual(
      'Submit document',
      'editor',
      '4 hours',
      'Link the document. Say who it is for, what should be looked at with care, and by when it has to be out.',
    ),
    manual(
      'First reading',
      'reviewer',
      '2 days',
      'Read the whole document once. Mark what is unclear, missing or wrong, each with a suggestion.',
    ),
    approval(
      'Expert review',
      '3 days',
      'Check the facts, figures and rules that the document states. Approve, or reject with the passages to correct.',
    ),
    manual(
      'Revise',
      'editor',
      '1 day',
      'Work in the remarks of both readings. Where you did not follow one, say why beside it.',
    ),
    manual(
      'Publish',
      'editor',
      '2 hours',
      'Put the document where its readers look for it, withdraw the version before, and tell the readers what changed.',
    ),
  ]),
};

const PROJECT: Template = {
  id: 'project',
  name: 'Project',
  description: '6-step',
  purpose: 'From an idea to work that is built, tested and signed off.',
  steps: chain([
    approval(
      'Initial Review',
      '1 day',
      'Decide whether the project is worth doing: its purpose, the people it needs and what it displaces. Name a person who owns it.',
    ),
    manual(
      'Technical Analysis',
      'editor',
      '2 days',
      'Describe what has to be built or changed, what it depends on and the three largest risks. Estimate in days.',
    ),
    approval(
      'Design Review',
      '2 days',
      'Go through the design with those who will build and use it. Approve, or reject with the questions that are still open.',
    ),
    manual(
      'Implementation',
      'editor',
      '5 days',
      'Build what was agreed. Note where you had to depart from the design, and why.',
    ),
    manual(
      'Quality Assurance',
      'reviewer',
      '2 days',
      'Test against the purpose in the first step, not only against the design. List the defects and whether each is mended.',
    ),
    approval(
      'Final Approval',
      '1 day',
      'Confirm that the result does what was asked and that nothing serious is open. Approve the release.',
    ),
  ]),
};

/** Every template, in the order of `TEMPLATE_IDS`. */
export const TEMPLATES: readonly Template[] = [BLANK, APPROVAL, CUSTOMER_ONBOARDING, DOCUMENT_REVIEW, PROJECT];

/** The template of that id, else null: the id comes from the address bar. */
export function findTemplate(id: string): Template | null {
  return TEMPLATES.find((template) => template.id === id) ?? null;
}

/**
 * A new workflow from a template, not saved yet (specification, section 4): key `workflow-{timestamp}`, title
 * 'New {template} Workflow', steps `step-1` and so on in a linear chain.
 * @param at.timestamp epoch milliseconds
 */
export function fromTemplate(template: Template, at: { timestamp: number }): { key: string } & WorkflowContent {
  return {
    key: newWorkflowKey(at.timestamp),
    metadata: { title: newWorkflowTitle(template), description: template.purpose },
    steps: template.steps.map((step) => ({ ...step, next: [...step.next] })),
  };
}

type UnlinkedStep = (id: string, next: string[]) => Step;

function manual(title: string, assignee: OrgRole | typeof UNASSIGNED, sla: string, description: string): UnlinkedStep {
  // A reviewer may act on a manual step only as a holder of its assigned role.
  const config = assignee === UNASSIGNED ? { ...STEP_DEFAULTS.manual.config } : { assignedRole: assignee };
  return (id, next) => ({ id, type: 'manual', title, description, assignee, sla, config, next });
}

function approval(title: string, sla: string, description: string): UnlinkedStep {
  const config = { ...STEP_DEFAULTS.approval.config, assignedRole: 'reviewer' };
  return (id, next) => ({ id, type: 'approval', title, description, assignee: 'reviewer', sla, config, next });
}

function chain(steps: readonly UnlinkedStep[]): Step[] {
  return steps.map((step, index) => step(`step-${index + 1}`, index + 1 < steps.length ? [`step-${index + 2}`] : []));
}
