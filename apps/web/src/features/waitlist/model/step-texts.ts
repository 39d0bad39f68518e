import type { Step } from './steps.ts';

type StepText = { title: string; lede: string; aside?: string };

/** Each step's text. The specification prescribes the titles (section 2). */
export const STEP_TEXTS: Record<Step, StepText> = {
  start: {
    title: 'Apply for Priority Access',
    lede: 'Get early access and help shape the future of process documentation.',
    aside: 'Eight questions, one at a time. Three of them are required.',
  },
  email: { title: 'Where should we send your invite?', lede: 'We’ll reply to this address.' },
  role: { title: 'What is your role?', lede: 'Choose the closest match.' },
  'documentation-tools': {
    title: 'Which tools have you recently used to document or edit processes/workflows?',
    lede: 'Choose all that apply. Optional.',
  },
  'team-tools': {
    title: 'Which of these other tools do you and your team use?',
    lede: 'Choose all that apply. Optional.',
  },
  frustrations: {
    title: 'What are your biggest frustrations with process documentation tools?',
    lede: 'In your own words. Optional.',
  },
  'process-types': {
    title: 'What kinds of processes are you regularly documenting?',
    lede: 'For example vendor onboarding, releases, audits or hiring. Optional.',
  },
  'collaboration-size': {
    title: 'How many people do you regularly collaborate with on process documentation?',
    lede: 'A rough number is fine. Optional.',
  },
  frequency: {
    title: 'How frequently are you working on process documentation?',
    lede: 'Choose one.',
  },
  complete: {
    title: 'Thank you!',
    lede: "Your priority list application has been submitted. We'll review it and get back to you soon with next steps.",
  },
};
