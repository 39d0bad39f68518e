import { cutText } from '@stet/domain/workflows';
import type { Letter } from '../kernel/mail.ts';

const PRODUCT = 'Stet';
/** Column width of plain-text mail. */
const TEXT_WIDTH = 72;

const SERIF = "Georgia,'Iowan Old Style',serif";
const SANS = "'Helvetica Neue',Helvetica,Arial,sans-serif";

// Mail programs that support dark mode use these rules. The others use the colors in the style attributes.
const DARK = `@media (prefers-color-scheme:dark){
.canvas{background:#101211!important}.sheet{background:#171a18!important;border-color:#2a2f2c!important}
.ink{color:#e9ece8!important}.quiet{color:#98a19a!important}.line{border-color:#2a2f2c!important}
.button{background:#e9ece8!important;color:#141715!important}.link{color:#8db0ff!important}}`;

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/**
 * Renders a letter as plain text: paragraphs are wrapped at 72 columns, facts have a separate column, and the link has
 * its own line.
 */
export function textOf({ greeting, paragraphs, facts = [], items = [], action, footnote }: Letter): string {
  const widest = Math.max(0, ...facts.map(([label]) => label.length));
  const column = facts.map(([label, value]) => `  ${`${label}:`.padEnd(widest + 2)} ${value}`).join('\n');
  const parts = [
    greeting,
    ...paragraphs.map((paragraph) => wrapped(paragraph)),
    column,
    ...items.map(({ title, body, url }) => `* ${title}\n${wrapped(oneLine(body), '  ')}\n  ${url}`),
    `${action.label}:\n${action.url}`,
    wrapped(footnote),
    `-- \n${PRODUCT}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function wrapped(paragraph: string, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > TEXT_WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => indent + each).join('\n');
}

/**
 * Renders a letter as HTML without images or other external resources. It uses layout tables, which mail programs need.
 */
export function htmlOf({ subject, greeting, paragraphs, facts = [], items = [], action, footnote }: Letter): string {
  const paragraph = (text: string): string =>
    `<p class="ink" style="margin:0 0 16px;font:16px/26px ${SANS};color:#181b19">${escaped(text)}</p>`;
  const rows = facts.map(
    ([label, value]) => `<tr>
<td class="quiet line" style="padding:8px 16px 8px 0;border-top:1px solid #e1e4de;font:13px/20px ${SANS};color:#5f6660;white-space:nowrap;vertical-align:top">${escaped(label)}</td>
<td class="ink line" width="100%" style="padding:8px 0;border-top:1px solid #e1e4de;font:14px/20px ${SANS};color:#181b19;overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
  );
  const table =
    rows.length === 0
      ? ''
      : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">${rows.join('')}</table>`;
  const list = items
    .map(
      ({
        title,
        body,
        url,
      }) => `<tr><td class="ink line" style="padding:12px 0;border-top:1px solid #e1e4de;overflow-wrap:anywhere">
<a class="link" href="${escaped(url)}" style="font:600 15px/22px ${SANS};color:#1f4fc4">${escaped(title)}</a>
<div class="quiet" style="font:14px/20px ${SANS};color:#5f6660">${escaped(body)}</div></td></tr>`,
    )
    .join('');
  const listed =
    items.length === 0
      ? ''
      : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">${list}</table>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title><style>${DARK}</style></head>
<body class="canvas" style="margin:0;padding:0;background:#f4f5f2">
<div style="display:none;max-height:0;overflow:hidden">${escaped(paragraphs[0] ?? '')}</div>
<table role="presentation" class="canvas" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f4f5f2"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px"><tr><td style="padding:0 4px 20px">
<span class="ink" style="display:inline-block;padding-bottom:2px;border-bottom:3px dotted #1f4fc4;font:26px/30px ${SERIF};letter-spacing:-.01em;color:#181b19">${PRODUCT}</span>
</td></tr><tr><td class="sheet" style="background:#ffffff;border:1px solid #e1e4de;border-radius:8px;padding:36px 32px 32px">
${paragraph(greeting)}${paragraphs.map(paragraph).join('')}${table}${listed}
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr><td class="button" style="background:#1b1f1c;border-radius:5px">
<a class="button" href="${escaped(action.url)}" style="display:inline-block;padding:12px 22px;background:#1b1f1c;border-radius:5px;font:600 15px/20px ${SANS};color:#ffffff;text-decoration:none">${escaped(action.label)}</a>
</td></tr></table>
<p class="quiet" style="margin:0;font:13px/20px ${SANS};color:#5f6660">Or open this address in a browser:<br><a class="link" href="${escaped(action.url)}" style="color:#1f4fc4;overflow-wrap:anywhere;word-break:break-all">${escaped(action.url)}</a></p>
</td></tr><tr><td class="quiet" style="padding:20px 4px 0;font:13px/20px ${SANS};color:#5f6660">${escaped(footnote)}</td></tr></table>
</td></tr></table></body></html>
`;
}

/**
 * Puts a header value on one line without control characters, because a line break would start another header. Cuts it
 * to 200 characters.
 */
export const headerText = (text: string): string =>
  cutText(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), 200);
