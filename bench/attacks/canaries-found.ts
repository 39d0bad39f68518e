import { fromMarkdown } from 'mdast-util-from-markdown';
import type { ReceivedMail } from '../../apps/server/src/testing/mailbox.ts';
import { ELSEWHERE } from './canaries.ts';

/** Matches unescaped markup of a canary: an opening tag. */
const LIVE_MARKUP = /<(?:img|script|svg|iframe|style|a [^>]*(?:javascript|vbscript|data):)/i;
const LIVE_LINK = /(?:href|src|action)\s*=\s*["']?\s*(?:javascript|vbscript|data):/i;

export function inMail({ headers, html, raw }: ReceivedMail): string[] {
  const found: string[] = [];
  const subject = headers.get('subject') ?? '';
  if (/<(?:img|script|svg|iframe)[^&]*(?:onerror|onload|src)/i.test(html)) found.push('live markup in HTML');
  if (LIVE_LINK.test(html)) found.push('a live link in HTML');
  if (html.includes(`src="https://${ELSEWHERE}`)) found.push('an external image');
  if (/[\r\n]/.test(subject) || /^bcc:/im.test(raw.split(/\r?\n\r?\n/, 1)[0] ?? ''))
    found.push('a header injected by a canary');
  return found.map((what) => `mail “${subject.slice(0, 50)}”: ${what}`);
}

type SentToSlack = { [K in 'posted' | 'updated' | 'ephemeral']: readonly object[] };
export function inSlack({ posted, updated, ephemeral }: SentToSlack): string[] {
  return [...posted, ...updated, ...ephemeral].flatMap((message) => {
    const texts = textsIn(message);
    const live = texts.filter(
      (text) =>
        /<(?:!(?!date\^)|@U1|img|script|svg|iframe)/i.test(text) || new RegExp(`<https://${ELSEWHERE}`).test(text),
    );
    return live.map((text) => `Slack: ${text.slice(0, 160)}`);
  });
}

/** Returns the texts that Slack reads as markup, without those declared as plain text. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { type, text } = value as { type?: string; text?: unknown };
  const own = typeof text === 'string' && type !== 'plain_text' ? [text] : [];
  return [...own, ...Object.values(value).flatMap(textsIn)];
}

export function inPdf(bytes: Buffer): string[] {
  const text = bytes.toString('latin1');
  const found = [
    '/JavaScript',
    '/JS',
    '/Launch',
    '/OpenAction',
    '/AA',
    '/SubmitForm',
    '/EmbeddedFile',
    '/RichMedia',
  ].filter((action) =>
    new RegExp(`${action}\\b(?![A-Za-z])`).test(text.replaceAll(/stream\r?\n[\s\S]*?endstream/g, '')),
  );
  const links = [...text.matchAll(/\/URI \(([^)]*)/g)]
    .map(([, uri = '']) => uri)
    .filter((uri) => !/^(?:https?:|mailto:|#)/i.test(uri));
  return [...found, ...links.map((uri) => `a link to ${uri.slice(0, 60)}`)].map((what) => `PDF: ${what}`);
}

export function inCsv(text: string): string[] {
  const cells = [...text.matchAll(/(?:^|,|\r?\n)(?:"((?:[^"]|"")*)"|([^,\r\n"]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  return cells
    .filter((cell) => /^[=+\-@\t\r]/.test(cell))
    .map((cell) => `CSV: a cell starts with ${cell.slice(0, 30)}`);
}

type Node = { type: string; url?: string; value?: string; children?: Node[] };
export function inMarkdown(text: string): string[] {
  const found: string[] = [];
  const look = (node: Node): void => {
    if (node.type === 'html') found.push(`Markdown: HTML ${node.value?.slice(0, 80)}`);
    if ((node.type === 'link' || node.type === 'image') && /^\s*(?:javascript|vbscript|data):/i.test(node.url ?? ''))
      found.push(`Markdown: a link to ${node.url?.slice(0, 60)}`);
    node.children?.forEach(look);
  };
  look(fromMarkdown(text));
  return found;
}

export function inXml(text: string): string[] {
  return LIVE_MARKUP.test(text) ? ['BPMN: live markup'] : [];
}
