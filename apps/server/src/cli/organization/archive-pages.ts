import { isolated, visibleText } from '@stet/domain/workflows';
import type { ArchivedWorkflow, People } from './archive-content.ts';
import { SIGNATURE, SUMS, TRAIL } from './organization-archive.ts';

export type Facts = {
  organization: { id: string; name: string; slug: string | null };
  /** ISO 8601. */
  exportedAt: string;
  /** The version of Stet, in words. */
  stet: string;
  counts: Readonly<Record<string, number>>;
};

/** Explains the archive to people who don't have Stet. */
export const readme = ({ organization: { id, name }, exportedAt, stet }: Omit<Facts, 'counts'>): string => `\
The data of the organization ${visibleText(name)} (${id}) in Stet, exported ${exportedAt} by Stet ${stet}.
All parts show the same moment. Times are in UTC. Everything is text in UTF-8, except the attached files.

Open index.html in a browser, or the .csv files in a spreadsheet.

index.html          the organization, its people and its workflows
people.csv          everyone who is or was a member
groups.csv          the members of each group
versions.csv        every version and draft of a workflow, with the file that has its content
workflows/          that content as YAML. Stet can import these files
runs.csv            every run
steps.csv           every step of a run, with who did it and its output (the values of its form, with attached files)
notes.csv           notes on runs
files.csv           files that people attached, with the names in files/
files/              these files, named by their ids
events.csv          the audit trail, for reading
${TRAIL}  the audit trail with its proofs and checkpoints
audit/key.txt       the public key that signs it
audit/checkpoints.txt  the checkpoints that this key signed, oldest first
data/               the stored rows, one JSON object per line, one file per table
manifest.json       the number of rows of each table, and of people, files and events
${SUMS}          the SHA-256 digest of every file
${SIGNATURE}   the signature of that list

Not in the archive: unfinished uploads, previews of images, notifications and their settings, sent messages, the addresses of
webhooks, and figures that Stet computes from the rest.

It contains no passwords, tokens or other secrets, so nobody can sign in with it. It contains personal data: protect it.

To check that nothing was changed, with Stet but without a server or a database:

    stet organization verify ARCHIVE --key KEY

KEY is a file with the public key. Get it from the audit screen or from DATA_DIR/keys/*.pub of the server, not from this
archive: a forger would replace audit/key.txt too. Without Stet, in the extracted folder:

    sha256sum -c ${SUMS}

That finds damage, but not forgery. ${SIGNATURE} is a signed note (https://c2sp.org/signed-note) with an Ed25519 signature
over its text, which names the digest of ${SUMS}.

A line of ${TRAIL} is a JSON object. "payload" of an event is the recorded text, "digest" its salted SHA-256, "hash" the
SHA-256 of the event with the hash of the event before it ("prev"), and the checkpoints are signed roots of the Merkle tree of
all hashes (RFC 9162).
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
/** Text that people wrote, without hidden characters and without an effect on the direction of the text after it. */
const given = (text: string): string => escaped(isolated(visibleText(text)));

const row = (cells: readonly string[], cell = 'td'): string =>
  `<tr>${cells.map((text) => `<${cell}>${text}</${cell}>`).join('')}</tr>\n`;

const linkTo = (path: string, text = path): string => `<a href="${escaped(path)}">${escaped(text)}</a>`;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d1d1b;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #ddd;vertical-align:top;overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#eee;background:#191919}a{color:#9cf}th,td{border-color:#444}}`;

/** A page that works without a server. It has no scripts, and links to the other files of the archive. */
export function* indexPage(
  { organization: { name, slug, id }, exportedAt, stet, counts }: Facts,
  people: People,
  workflows: readonly (ArchivedWorkflow & { file: string | null })[],
): Generator<string> {
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${given(name)}</title><style>${STYLE}</style></head><body>
<h1>${given(name)}</h1>
<p>Exported ${escaped(exportedAt)} by Stet ${escaped(stet)}. ${slug === null ? '' : `URL prefix ${given(slug)}. `}Id ${escaped(id)}.</p>
<h2>Contents</h2>
<table>${row(['File', 'Content', 'Number'], 'th')}`;
  for (const [path, what, count] of [
    ['people.csv', 'People', counts['people']],
    ['groups.csv', 'Groups and their members', counts['groups']],
    ['versions.csv', 'Versions and drafts', counts['workflow_versions']],
    ['runs.csv', 'Runs', counts['runs']],
    ['steps.csv', 'Steps of runs', null],
    ['notes.csv', 'Notes on runs', null],
    ['files.csv', 'Attached files', counts['attachedFiles']],
    ['events.csv', 'Audit trail, for reading', counts['events']],
    [TRAIL, 'Audit trail with its proofs', counts['events']],
    ['README.txt', 'How to read and verify this archive', null],
  ] as const)
    yield row([linkTo(path), escaped(what), count?.toLocaleString('en-US') ?? '']);
  yield `</table>\n<h2>Workflows</h2>\n<table>${row(['Workflow', 'Key', 'State', 'Folder'], 'th')}`;
  for (const { title, key, state, folder, file } of workflows)
    yield row([
      given(title),
      given(key),
      file === null
        ? escaped(state)
        : `${linkTo(file, file.slice(folder.length + 1))} (the workflow is ${escaped(state)})`,
      linkTo(`${folder}/`),
    ]);
  yield `</table>\n<h2>People</h2>\n<table>${row(['Name', 'Email', 'Role'], 'th')}`;
  for (const { name: person, email, role } of people.values())
    yield row([given(person), given(email), escaped(role ?? 'left')]);
  yield '</table>\n</body></html>\n';
}
