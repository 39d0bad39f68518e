import type { Mail } from '../../adapters/mail.ts';

type Letter = { to: string; subject: string; greeting: string; paragraphs: string[]; link: { label: string; url: string } };

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** One letter in text and HTML; no remote images, nothing that a click on the link alone would change. */
export function writeMail({ to, subject, greeting, paragraphs, link }: Letter): Mail {
  const text = [greeting, ...paragraphs, `${link.label}: ${link.url}`, 'Stet'].join('\n\n');
  const body = paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escaped(paragraph)}</p>`).join('');
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#f4f5f2;padding:32px 16px;font:15px/24px Helvetica,Arial,sans-serif;color:#181b19">
<div style="max-width:520px;margin:0 auto;background:#fff;border:1px solid #e1e4de;border-radius:8px;padding:32px">
<p style="margin:0 0 24px;font:22px/28px Georgia,serif">Stet</p>
<p style="margin:0 0 16px">${escaped(greeting)}</p>${body}
<p style="margin:24px 0 0"><a href="${escaped(link.url)}" style="display:inline-block;background:#1b1f1c;color:#fff;text-decoration:none;padding:10px 18px;border-radius:5px">${escaped(link.label)}</a></p>
<p style="margin:24px 0 0;font-size:12px;line-height:16px;color:#5f6660">${escaped(link.url)}</p>
</div></body></html>`;
  // A line break in a subject would begin a header of its own.
  return { to, subject: subject.replaceAll(/[\r\n]+/g, ' ').slice(0, 200), text, html };
}
