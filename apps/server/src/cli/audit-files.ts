import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type NamedFile, filesNamedIn, lineOfText } from '@stet/domain/audit';
import { type Api, CallRefused, openApi } from './client/api.ts';
import { currentLogin } from './client/saved-login.ts';
import { counted, json, shown } from './client/shown.ts';
import { type Command, CommandProblem, EXIT, EXIT_CODES_IN_WORDS } from './command.ts';
import { NamedFiles, digestOfFile, exportedName } from './evidence-files.ts';
import { fileLines } from './file-lines.ts';

/**
 * The outcome of a download. `present` means that the folder already had the file, `missing` that the server doesn't
 * have it, and `changed` that it differs from the record but was saved.
 */
type Outcome = 'downloaded' | 'present' | 'missing' | 'changed';

export const auditFiles: Command = {
  name: 'audit files',
  summary: 'Download the files that an exported audit trail names',
  help: `Usage: stet audit files EXPORT FOLDER [--json]

Downloads every file that people attached to steps or notes, as named in an exported audit trail (the "Data" export, .ndjson), and
compares its SHA-256 digest with the recorded one. Each file is named by its id, because names come from the people who
uploaded them. An interrupted download continues: files that are already in the folder, unchanged, are skipped.

Afterwards, "stet audit verify EXPORT --files FOLDER" checks the trail and the files together, without a server.

Options:
  --json      print the result as JSON
  -h, --help  show this help

${EXIT_CODES_IN_WORDS}
Example: stet audit files audit-all.ndjson audit-files
`,
  options: { json: { type: 'boolean' } },
  positionals: { min: 2, max: 2 },
  run: async ({ positionals: [trail = '', folder = ''], options }, terminal) => {
    const named = namedIn(trail);
    const api = openApi(currentLogin(terminal.env));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const counts = { downloaded: 0, present: 0 };
    const problems: { fileId: string; name: string; problem: 'missing' | 'changed' }[] = [];
    for (const [fileId, files] of named) {
      for (const file of files) {
        const outcome = await download(api, folder, file);
        if (outcome === 'downloaded' || outcome === 'present') counts[outcome] += 1;
        else problems.push({ fileId, name: file.name, problem: outcome });
      }
    }
    if (options['json'] === true) await terminal.out(json({ ...counts, problems }));
    else
      terminal.say(
        `${counted(counts.downloaded, 'file')} downloaded to ${folder}; ${counts.present.toLocaleString('en-US')} already there.`,
      );
    for (const { fileId, name, problem } of problems)
      terminal.say(shown(`${name} (${fileId}) ${problem === 'missing' ? 'is not on the server' : NOT_AS_RECORDED}.`));
    return problems.length > 0 ? EXIT.failed : 0;
  },
};

const NOT_AS_RECORDED = 'differs from the one that was recorded. It was saved, so that you can compare';

function namedIn(trail: string): NamedFiles {
  const named = new NamedFiles();
  try {
    for (const text of fileLines(trail)) {
      const line = lineOfText(text);
      if (line?.type === 'event') named.add(filesNamedIn(line.event));
    }
  } catch (error) {
    throw new CommandProblem(`${trail} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return named;
}

async function download(api: Api, folder: string, file: NamedFile): Promise<Outcome> {
  const path = join(folder, exportedName(file));
  const isRecorded = ({ sha256, size }: { sha256: string; size: number }): boolean =>
    sha256 === file.sha256 && size === file.size;
  if (existsSync(path) && isRecorded(digestOfFile(path))) return 'present';
  const unfinished = `${path}.part`;
  try {
    const received = await receive(api, file, unfinished);
    renameSync(unfinished, path);
    return isRecorded(received) ? 'downloaded' : 'changed';
  } catch (error) {
    rmSync(unfinished, { force: true });
    if (error instanceof CallRefused && error.status === 404) return 'missing';
    throw error;
  }
}

async function receive(api: Api, { fileId }: NamedFile, path: string): Promise<{ sha256: string; size: number }> {
  const pieces = await api.stream('GET /api/files/{id}', { params: { id: fileId } });
  const hash = createHash('sha256');
  let size = 0;
  const opened = openSync(path, 'w', 0o600);
  try {
    for await (const piece of pieces) {
      writeSync(opened, piece);
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    throw new CommandProblem(
      `The download was interrupted: ${error instanceof Error ? error.message : String(error)}. Run the command again.`,
      EXIT.unreachable,
    );
  } finally {
    closeSync(opened);
  }
  return { sha256: hash.digest('hex'), size };
}
