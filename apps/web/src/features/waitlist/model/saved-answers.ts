import { APPLICANT_ROLES, DOCUMENTATION_TOOLS, FREQUENCIES, TEAM_TOOLS } from '@stet/domain/waitlist';
import { NO_ANSWERS } from './answers.ts';
import type { Answers } from './answers.ts';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const oneOf = <Option extends string>(options: readonly Option[], value: unknown): Option | null =>
  options.find((option) => option === value) ?? null;

const anyOf = <Option extends string>(options: readonly Option[], value: unknown): Option[] =>
  Array.isArray(value) ? options.filter((option) => value.includes(option)) : [];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** The text to store in this tab: the answers, and `prefill`, which is the address from the link. */
export function writeSaved(answers: Answers, prefill: string): string {
  return JSON.stringify({ prefill, answers });
}

/**
 * Reads stored answers and ignores invalid ones. The link's address is used if it differs from the previous link's.
 * Otherwise an address that the person has corrected stays.
 */
export function readSaved(text: string | null, prefill: string): Answers {
  const saved = parse(text);
  if (!isRecord(saved) || !isRecord(saved['answers'])) return { ...NO_ANSWERS, email: prefill };
  const savedFields = saved['answers'];
  return {
    email: prefill !== '' && prefill !== saved['prefill'] ? prefill : textOf(savedFields['email']),
    role: oneOf(APPLICANT_ROLES, savedFields['role']),
    otherRole: textOf(savedFields['otherRole']),
    documentationTools: anyOf(DOCUMENTATION_TOOLS, savedFields['documentationTools']),
    otherDocumentationTool: textOf(savedFields['otherDocumentationTool']),
    teamTools: anyOf(TEAM_TOOLS, savedFields['teamTools']),
    otherTeamTool: textOf(savedFields['otherTeamTool']),
    frustrations: textOf(savedFields['frustrations']),
    processTypes: textOf(savedFields['processTypes']),
    collaborationSize: textOf(savedFields['collaborationSize']),
    frequency: oneOf(FREQUENCIES, savedFields['frequency']),
  };
}
