import { CAST, EVERYONE, NEWCOMER, PASSWORD, TEAM } from './cast.ts';

/** The sign-ins and their roles, as a table for the terminal. */
export function signInsInWords(url: string): string {
  const rows = [
    ...EVERYONE.map((who) => [CAST[who].email, CAST[who].role, CAST[who].name]),
    [NEWCOMER.email, 'personal', `${NEWCOMER.name}, an empty account`],
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
  return [
    '',
    `The demo: ${TEAM.name}, a team with workflows, drafts in review and runs in every state.`,
    `Sign in at ${url}/login. Everyone has the password  ${PASSWORD}`,
    '',
    ...table,
    '',
    '',
  ].join('\n');
}
