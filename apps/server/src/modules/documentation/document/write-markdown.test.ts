import type { WorkflowDocument } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import { linearNext, newStep } from '@stet/domain/workflows';
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { aDocument } from './document.sample.ts';
import { embeddedTask } from './embedded-task.ts';
import { writeMarkdown } from './write-markdown.ts';

const write = (document: WorkflowDocument): Promise<string> => writeMarkdown(document, async () => {});
const headings = (markdown: string): string[] =>
  fromMarkdown(markdown).children.flatMap((node) =>
    node.type === 'heading'
      ? [`${node.depth} ${markdown.slice(node.position?.start.offset, node.position?.end.offset)}`]
      : [],
  );

describe('a version as Markdown', () => {
  it('contains its title, its facts, and each step with its task and next steps', async () => {
    expect(await write(aDocument())).toBe(`# Expense approval \\> 5,000 EUR

- **Key:** expense-approval
- **Version:** v3, live
- **Live since:** 2 October 2026
- **Approved by:** Greta Holm (1 October 2026)
- **Owner:** Priya Nair
- **Total SLA:** 1 day 4 hours

For *every* claim.

## Steps

### 1. Register the claim

*Manual · editor · 4 hours*

#### What is needed

1. The receipt
2. The **cost centre**

Form:

- **Amount:** Number, at most 9000 EUR · Required · Without tax
- **Reasons \\*:** Several choices: Travel, Food · Optional

### 2. Decide

*Condition · system*

- If Amount of Register the claim is more than 5000 → step 3
- Otherwise → step 4

### 3. The board approves

*Approval · reviewer · 1 day*

- 2 people must approve.
- If rejected → back to step 1

### 4. Tell finance

*Notification · auto*

Message:

\`\`\`
Claim ‹Name of the run› is done
\`\`\`

- After steps 2 and 3.
- Sent to finance@x.example by email.
`);
  });

  it('says when it was in force', async () => {
    const period = { act: 'merge', endedBy: null, by: null, reason: null, isEmergency: false } as const;
    const inForce = [
      { ...period, from: '2026-10-02T10:00:00.000Z', until: '2026-10-12T10:00:00.000Z' },
      { ...period, from: '2026-11-02T10:00:00.000Z', until: null },
    ];
    expect(await write(aDocument({ inForce }))).toContain(
      '- **In force:** 2 October 2026 – 12 October 2026; since 2 November 2026',
    );
  });

  it('has a table of contents if it is long', async () => {
    const steps = linearNext(Array.from({ length: 9 }, (_, n): Step => ({ ...newStep(`s${n}`), title: `Part ${n}` })));
    expect(await write(aDocument({ steps }))).toContain('## Contents\n\n1. Part 0\n2. Part 1\n');
  });

  it('preserves its own headings, whatever titles and tasks contain', async () => {
    const hostile = fc.constantFrom(
      '# ',
      '```\n',
      '~~~',
      '<!-- ',
      '<script>\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '=== ',
      '\n---\n',
      '*',
      '|',
      '\\',
      'a',
      '[x]: y ',
      '    ',
    );
    const text = fc.array(hostile, { maxLength: 12 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (title, description) => {
        const step = (id: string): Step => ({ ...newStep(id), title, description });
        const markdown = await write(aDocument({ steps: linearNext([step('a'), step('b'), step('c')]) }));
        const own = headings(markdown).filter((heading) => /^[123] /.test(heading));
        expect(own.map((heading) => heading.slice(0, 8))).toEqual([
          '1 # Expe',
          '2 ## Ste',
          '3 ### 1.',
          '3 ### 2.',
          '3 ### 3.',
        ]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a task within a document', () => {
  it.each([
    ['a heading below those of the document', '# One\ntext\n## Two', '#### One\ntext\n##### Two'],
    ['an underlined heading below those of the document', 'One\n===\ntext', '#### One\ntext'],
    ['an open fence with a closing fence', '```js\nlet x', '```js\nlet x\n```'],
    ['a closed fence unchanged', '```\nx\n```', '```\nx\n```'],
    ['an open fence that contains an indented one with a closing fence', '```\nx\n    ```', '```\nx\n    ```\n```'],
    ['a closed fence with spaces around its end', '```\nx\n  ````  \n', '```\nx\n  ````'],
    ['an open fence in a list, which ends with the list', '- a\n\n  ```\n  x', '- a\n\n  ```\n  x'],
    ['HTML as text', 'a <b>bold</b> word', String.raw`a \<b>bold\</b> word`],
    [
      'other text as it was typed',
      '- [ ] a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      '- [ ] a\n- b\n\n| a | b |\n|---|---|\n| 1 | 2 |',
    ],
    ['an unsafe link as its text', 'See [this *form*](javascript:alert(1)) first.', 'See this *form* first.'],
    ['an unsafe address as text', 'See <javascript:alert(1)> first.', 'See javascript:alert(1) first.'],
    [
      'a safe link unchanged',
      'See [this](https://example.com/a "A") first.',
      'See [this](https://example.com/a "A") first.',
    ],
    ['an image as its name', 'So: ![a *plan*](https://elsewhere.example/p.png).', String.raw`So: *\[a plan\]*.`],
    [
      'reference links as inline links',
      'As [the form][f] and [f] say.\n\n[f]: https://example.com/f\n[x]: javascript:alert(1)\n\n[Not this][x].',
      'As [the form](<https://example.com/f>) and [f](<https://example.com/f>) say.\n\n\n\n\nNot this.',
    ],
    ['a link in a heading', '# See [this](vbscript:x) and ![p](x.png)', String.raw`#### See this and *\[p\]*`],
    [
      'an image inside a link',
      '[![logo](https://a.example/l.png)](https://example.com)',
      String.raw`[*\[logo\]*](https://example.com)`,
    ],
  ])('renders %s', (_, typed, expected) => {
    expect(embeddedTask(typed, 3)).toBe(expected);
  });
});
