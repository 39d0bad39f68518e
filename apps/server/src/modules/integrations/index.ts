export { findConnection, saveProblem } from './slack-connections.sql.ts';
export { escaped, linkButton, section, textMessage } from './slack-text.ts';
export { type Connected, connectedWorkspace, slackSender, workspaceOf } from './workspace.ts';
