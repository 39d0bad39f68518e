/** The parts of a block that the tests read. */
export type Block = {
  type: string;
  block_id?: string;
  text?: { type: string; text: string };
  fields?: { text: string }[];
  elements?: { action_id?: string; url?: string; value?: string; text?: { text: string } }[];
  label?: { text: string };
  optional?: boolean;
};
export type SlackPosted = { channel: string; ts: string; text: string; blocks: Block[]; token: string };
/** Checks some of Slack's rules for blocks. Returns the first problem, or null. */
export function problemOf(blocks: readonly Block[]): string | null {
  for (const { type, text, fields = [], elements = [], label } of blocks) {
    if (!['section', 'actions', 'input'].includes(type)) return `unknown block ${type}`;
    if (type === 'section' && !text && fields.length === 0) return 'a section without text';
    if (text && (text.text.length < 1 || text.text.length > 3000)) return 'text of a section';
    if (fields.length > 10 || fields.some((field) => field.text.length > 2000)) return 'fields of a section';
    if (type === 'input' && !label) return 'an input without a label';
    for (const { value = '', text: elementText, url = '' } of elements)
      if (value.length > 2000 || (elementText?.text.length ?? 0) > 75 || url.length > 3000) return 'an element';
  }
  return null;
}
/** The labels of a message's buttons. */
export function buttonsOf({ blocks }: SlackPosted): string[] {
  return blocks.flatMap(({ elements = [] }) => elements).map(({ text }) => text?.text ?? '');
}
