import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { solidText } from '../../apps/server/src/adapters/pdf/pdf-text.fixture.ts';
import type { ServerProcess } from '../server-process.ts';
import { lineOf, textOf } from './canaries.ts';
import { inCsv, inMail, inMarkdown, inPdf, inSlack, inXml } from './canaries-found.ts';
import { KEY } from './canary-corners.ts';
import type { CanaryWorld } from './canary-world.ts';
import type { Outcome } from './outcome.ts';
import type { Sightings } from './sightings.ts';

const run = promisify(execFile);
const CLI = new URL('../../apps/server/dist/cli-main.js', import.meta.url);

type Judge = { read: (bytes: Buffer) => string | Promise<string>; find: (bytes: Buffer) => string[] };
const textual = (find: (text: string) => string[]): Judge => ({
  read: (bytes) => bytes.toString(),
  find: (bytes) => find(bytes.toString()),
});
/** How to read the text of each kind of file, and what it must not contain. */
const KINDS = {
  PDF: { read: solidText, find: inPdf },
  // The PDF of a certificate contains the certificate as a file.
  certificate: { read: solidText, find: (bytes) => inPdf(bytes).filter((found) => !found.endsWith('/EmbeddedFile')) },
  CSV: textual(inCsv),
  Markdown: textual(inMarkdown),
  BPMN: textual(inXml),
  YAML: textual(() => []),
  NDJSON: textual(() => []),
  JSON: textual(() => []),
} satisfies Record<string, Judge>;
type Kind = keyof typeof KINDS;

/** Tests each check with a bad file. A check that finds nothing in it doesn't work. */
function blindJudges(): string[] {
  const [line, text] = [lineOf('planted'), textOf('planted')];
  const mail = { to: [], headers: new Map<string, string>(), text, html: text, raw: '' };
  const judged = {
    mail: inMail(mail),
    Slack: inSlack({ posted: [{ text: line }], updated: [], ephemeral: [] }),
    PDF: inPdf(Buffer.from('<< /S /JavaScript /JS (x) >> << /S /URI /URI (javascript:x) >>')),
    CSV: inCsv(`a,b\n${line}`),
    Markdown: inMarkdown(text),
    BPMN: inXml(text),
  };
  return Object.entries(judged)
    .filter(([, found]) => found.length === 0)
    .map(([what]) => `the check for ${what} did not find the planted canary`);
}

/**
 * Opens exported files of each kind in `KINDS`. Each file must contain a canary, because a file without one would pass
 * every check.
 */
export async function lookAtFiles(
  { url, dataDir }: ServerProcess,
  { ownerToken, runIds, versionIds, openDraftId, brokenDraftId, patchedDraftId }: CanaryWorld,
  sightings: Sightings,
): Promise<Outcome> {
  const findings = blindJudges();
  let files = 0;
  const judge = async (file: string, kind: Kind, bytes: Buffer): Promise<void> => {
    files += 1;
    const { read, find } = KINDS[kind];
    if (sightings.look(kind, await read(bytes)) === 0) findings.push(`${file}: it contains no canary`);
    findings.push(...find(bytes).map((what) => `${file}: ${what}`));
  };
  const look = async (path: string, kind: Kind): Promise<void> => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${ownerToken}` } });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!response.ok) findings.push(`${path}: ${response.status} ${bytes.toString().slice(0, 100)}`);
    if (response.headers.get('x-content-type-options') !== 'nosniff')
      findings.push(`${path}: its content type may be sniffed`);
    if (/html|svg/.test(response.headers.get('content-type') ?? ''))
      findings.push(`${path}: ${response.headers.get('content-type')}`);
    await judge(path, kind, bytes);
  };
  await look('/api/audit/export.pdf', 'PDF');
  await look('/api/audit/export.ndjson', 'NDJSON');
  for (const runId of runIds) await look(`/api/audit/export.pdf?runId=${runId}`, 'PDF');
  await look('/api/runs/export.csv', 'CSV');
  await look('/api/insights/overview.csv', 'CSV');
  for (const table of ['insights', 'insights/reviews', 'conformance'])
    await look(`/api/workflows/${KEY}/${table}.csv`, 'CSV');
  for (const id of versionIds) {
    await look(`/api/workflows/${KEY}/versions/${id}/certificate`, 'JSON');
    await look(`/api/workflows/${KEY}/versions/${id}/certificate?format=pdf`, 'certificate');
  }
  const documents = [...versionIds, openDraftId].map((version) => `${KEY}/versions/${version}`);
  const drafts: [string, string][] = [
    ['broken', brokenDraftId],
    ['patched', patchedDraftId],
  ];
  for (const version of [...documents, ...drafts.map(([key, id]) => `${key}/versions/${id}`)]) {
    await look(`/api/workflows/${version}/document?format=pdf`, 'PDF');
    await look(`/api/workflows/${version}/document?format=md`, 'Markdown');
  }
  for (const [key, id] of [...drafts, [KEY, openDraftId]]) {
    await look(`/api/workflows/${key}/export-bpmn?draftId=${id}`, 'BPMN');
    await look(`/api/workflows/${key}/export-yaml?draftId=${id}`, 'YAML');
  }
  for (const of of [[], ['--applications']]) {
    const args = [fileURLToPath(CLI), 'waitlist', 'export', ...of];
    const { stdout } = await run(process.execPath, args, { env: { ...process.env, DATA_DIR: dataDir } });
    await judge(`stet waitlist export ${of.join()}`, 'CSV', Buffer.from(stdout));
  }
  return {
    attack: 'Canaries in PDF, CSV, Markdown and BPMN',
    tried: `${files} files, each showing canaries`,
    result: 'shown as text: no actions, scripts, formulas or HTML, and only http(s) and mailto links',
    findings,
  };
}
