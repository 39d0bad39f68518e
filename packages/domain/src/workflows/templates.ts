import type { OrgRole } from '../access/roles.ts';
import { UNASSIGNED } from '../access/assignee.ts';
import { NEW_STEP } from './editor-rows.ts';
import { newWorkflowTitle } from './names.ts';
import { STEP_KINDS, type Step } from '../steps/index.ts';
import type { WorkflowContent } from './content.ts';
import { newWorkflowKey } from './workflow-key.ts';

/** The templates, in chooser order (specification, sections 2 and 3). */
export const TEMPLATE_IDS = ['blank', 'approval', 'customer-onboarding', 'document-review', 'project'] as const;
type TemplateId = (typeof TEMPLATE_IDS)[number];

/**
 * `description` is the line in the chooser, `purpose` the description of the new workflow. The steps are a linear
 * chain.
 */
export type Template = { id: TemplateId; name: string; description: string; purpose: string; steps: readonly Step[] };

const BLANK: Template = {
  id: 'blank',
  name: 'Blank Workflow',
  description: 'Empty: start from scratch',
  purpose: '',
  steps: chain([manual(NEW_STEP.step, UNASSIGNED, NEW_STEP.sla, NEW_STEP.task)]),
};

const APPROVAL: Template = {
  id: 'approval',
  name: 'Approval Process',
  description: '4-step',
  purpose: 'From a written request to a decision that the requester receives.',
  steps: chain([
    manual(
      'Submit request',
      'editor',
      '4 hours',
      'Describe the request: what is needed, why, at what cost and by when. Attach the offer or document it is based on.',
    ),
    approval(
      'First review',
      '1 day',
      'Check that the request is complete and within budget. If something is missing, reject and say what, so the requester can fix it.',
    ),
    approval('Final approval', '2 days', 'Decide on the request. Approve, or reject with the reason in one sentence.'),
    manual(
      'Notify requester',
      'editor',
      '4 hours',
      'Tell the requester what was decided, by whom, and what happens next. Record here when and how you told them.',
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
      'Ask for the legal name, billing address, tax number, main contact and other people who need access. Note what is still missing.',
    ),
    manual(
      'Validate data',
      'editor',
      '4 hours',
      'Check the name and tax number against the public register and the contract. Ask the customer about any differences.',
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
      'Send the welcome message with the sign-in link and the name of their contact. Offer two dates for a first call.',
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
      'Link the document. Say who it is for, which parts need special care, and when it must be published.',
    ),
    manual(
      'First reading',
      'reviewer',
      '2 days',
      'Read the whole document once. Mark everything that is unclear, missing or wrong, with a suggestion for each.',
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
      'Apply the comments from both reviews. If you don’t follow one, say why next to it.',
    ),
    manual(
      'Publish',
      'editor',
      '2 hours',
      'Publish the document where its readers look for it, withdraw the previous version, and tell the readers what changed.',
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
      'Decide whether the project is worth doing: its purpose, the people it needs, and what it would delay. Name an owner.',
    ),
    manual(
      'Technical Analysis',
      'editor',
      '2 days',
      'Describe what must be built or changed, its dependencies and the three largest risks. Estimate in days.',
    ),
    approval(
      'Design Review',
      '2 days',
      'Go through the design with those who will build and use it. Approve, or reject with the questions that are still open.',
    ),
    manual('Implementation', 'editor', '5 days', 'Build what was agreed. Note any deviation from the design, and why.'),
    manual(
      'Quality Assurance',
      'reviewer',
      '2 days',
      'Test against the purpose in the first step, not only against the design. List the defects and whether each is fixed.',
    ),
    approval(
      'Final Approval',
      '1 day',
      'Confirm that the result meets the request and that no serious problem is open. Approve the release.',
    ),
  ]),
};

/** Every template, in the order of `TEMPLATE_IDS`. */
export const TEMPLATES: readonly Template[] = [BLANK, APPROVAL, CUSTOMER_ONBOARDING, DOCUMENT_REVIEW, PROJECT];

/**
 * Returns the template with that id. Null if there is none, which is possible because the id comes from the address
 * bar.
 */
export function findTemplate(id: string): Template | null {
  return TEMPLATES.find((template) => template.id === id) ?? null;
}

/**
 * Returns a new unsaved workflow from a template (specification, section 4): key `workflow-{timestamp}`, title 'New
 * {template} Workflow', steps `step-1` and so on in a linear chain.
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
  // A reviewer can only act on a manual step that names them, for example by their role.
  const config = assignee === UNASSIGNED ? { ...STEP_KINDS.manual.defaults.config } : { assignedRole: assignee };
  return (id, next) => ({ id, type: 'manual', title, description, assignee, sla, config, next });
}

function approval(title: string, sla: string, description: string): UnlinkedStep {
  const config = { ...STEP_KINDS.approval.defaults.config, assignedRole: 'reviewer' };
  return (id, next) => ({ id, type: 'approval', title, description, assignee: 'reviewer', sla, config, next });
}

function chain(steps: readonly UnlinkedStep[]): Step[] {
  return steps.map((step, index) => step(`step-${index + 1}`, index + 1 < steps.length ? [`step-${index + 2}`] : []));
}
