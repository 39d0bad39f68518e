import { isInviteAddress, isRoleNamed } from '@stet/domain/waitlist';
import type { Answers } from './answers.ts';

/** The ten steps in order (specification, section 2). */
export const STEPS = [
  'start',
  'email',
  'role',
  'documentation-tools',
  'team-tools',
  'frustrations',
  'process-types',
  'collaboration-size',
  'frequency',
  'complete',
] as const;
export type Step = (typeof STEPS)[number];
export type Question = Exclude<Step, 'start' | 'complete'>;

export const isQuestion = (step: Step): step is Question => step !== 'start' && step !== 'complete';

export const QUESTIONS: readonly Question[] = STEPS.filter(isQuestion);

/** The number of this question, starting at 1. */
export const questionNumber = (step: Question): number => QUESTIONS.indexOf(step) + 1;

export const isStep = (value: unknown): value is Step => STEPS.some((step) => step === value);

export const answersOf = (question: Question): readonly (keyof Answers)[] => ANSWERS[question];

const ANSWERS: Record<Question, readonly (keyof Answers)[]> = {
  email: ['email'],
  role: ['role', 'otherRole'],
  'documentation-tools': ['documentationTools', 'otherDocumentationTool'],
  'team-tools': ['teamTools', 'otherTeamTool'],
  frustrations: ['frustrations'],
  'process-types': ['processTypes'],
  'collaboration-size': ['collaborationSize'],
  frequency: ['frequency'],
};

/** The reason why the person can't continue yet, or null (specification, section 5). */
export function stepProblem(step: Step, answers: Answers): string | null {
  switch (step) {
    case 'email':
      return isInviteAddress(answers.email) ? null : 'Enter a complete email address';
    case 'role':
      if (answers.role === null) return 'Pick one to continue';
      return isRoleNamed(answers.role, answers.otherRole) ? null : 'Enter your role';
    case 'frequency':
      return answers.frequency === null ? 'Pick one to submit' : null;
    case 'start':
    case 'documentation-tools':
    case 'team-tools':
    case 'frustrations':
    case 'process-types':
    case 'collaboration-size':
    case 'complete':
      return null;
  }
}

/**
 * The next step. It is the same step if an answer is missing, and on the last question, which sends the application.
 */
export function stepAfter(step: Step, answers: Answers): Step {
  if (stepProblem(step, answers) !== null || step === 'frequency') return step;
  return STEPS[STEPS.indexOf(step) + 1] ?? step;
}

/** The previous step, but never before the start. */
export const stepBefore = (step: Step): Step => STEPS[STEPS.indexOf(step) - 1] ?? step;

/**
 * The requested step or, if a question before it lacks a required answer, the first such question. That happens if the
 * answers have changed since the history entry was created. `complete` can always be reached.
 */
export function reachableStep(wanted: Step, answers: Answers): Step {
  if (wanted === 'complete') return wanted;
  const before = QUESTIONS.slice(0, Math.max(0, STEPS.indexOf(wanted) - 1));
  return before.find((step) => stepProblem(step, answers) !== null) ?? wanted;
}
