import { auditVerify } from './audit-verify.ts';
import type { Command } from './command.ts';
import { waitlistExport } from './waitlist-export.ts';

/** Every command, in the order in which they are listed. */
export const COMMANDS: readonly Command[] = [auditVerify, waitlistExport];
