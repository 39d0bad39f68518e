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

/** The part of an application that is stored in this tab. `prefill` is the address from the link. */
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
  const kept = saved['answers'];
  return {
    email: prefill !== '' && prefill !== saved['prefill'] ? prefill : textOf(kept['email']),
    role: oneOf(APPLICANT_ROLES, kept['role']),
    otherRole: textOf(kept['otherRole']),
    documentationTools: anyOf(DOCUMENTATION_TOOLS, kept['documentationTools']),
    otherDocumentationTool: textOf(kept['otherDocumentationTool']),
    teamTools: anyOf(TEAM_TOOLS, kept['teamTools']),
    otherTeamTool: textOf(kept['otherTeamTool']),
    frustrations: textOf(kept['frustrations']),
    processTypes: textOf(kept['processTypes']),
    collaborationSize: textOf(kept['collaborationSize']),
    frequency: oneOf(FREQUENCIES, kept['frequency']),
  };
}
