import { workflowBody } from '@stet/contract';
import type { Step } from '@stet/domain/steps';
import {
  contentHash,
  newStep,
  relinkAfterReorder,
  replaceStep,
  withListSaveDefaults,
  type WorkflowContent,
} from '@stet/domain/workflows';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERY_FIELD_KIND } from '../../testing/every-field-kind.ts';
import { runnableContent } from '../../testing/workflow-content.ts';
import { aDocument } from '../documentation/document/document.sample.ts';
import { writeMarkdown } from '../documentation/document/write-markdown.ts';
import { readBpmnFile } from './bpmn/read-bpmn.ts';
import { writeBpmn } from './bpmn/write-bpmn.ts';
import { readWorkflowFile } from './read-workflow-file.ts';
import { writeWorkflowFile } from './write-workflow-file.ts';

/** Converts the content in the same way as sending and storing a draft. */
const saved = (content: WorkflowContent): WorkflowContent => {
  const { metadata, steps } = workflowBody.parse(JSON.parse(JSON.stringify(content)));
  return { metadata, steps };
};

/** Converts the content in the same way as the table editor, which changes cells, moves rows and adjusts links. */
function throughEditor(content: WorkflowContent, edit: (steps: Step[]) => Step[] = (steps) => steps) {
  return saved({ ...content, steps: relinkAfterReorder(content.steps, edit(content.steps)) });
}

/** Converts the content in the same way as opening and saving every dialog in the builder, and then the workflow. */
function throughBuilder(content: WorkflowContent): WorkflowContent {
  const steps = content.steps.reduce<Step[]>((now, step) => replaceStep(now, { ...step }), content.steps);
  return saved(withListSaveDefaults({ ...content, steps }, content));
}

async function throughFile(content: WorkflowContent, format: 'yaml' | 'json'): Promise<WorkflowContent> {
  const read = await readWorkflowFile(writeWorkflowFile('key', content, format, 'https://stet.example/schema'), format);
  if (!read.ok || !read.file.metadata) throw new Error(JSON.stringify(read));
  return { metadata: read.file.metadata, steps: read.file.steps };
}

const essentials = ({ steps }: WorkflowContent) =>
  steps.map(({ id, type, config, next }) => ({ id, type, config, next }));

describe('a form with every kind of field', () => {
  const fields = [...EVERY_FIELD_KIND];
  const form: Step = { ...newStep('form'), title: 'Form', type: 'manual', config: { fields } };
  const content = saved({ metadata: { title: 'Forms', description: '' }, steps: [form] });

  it.each(['yaml', 'json'] as const)('survives a %s file', async (format) => {
    expect(await throughFile(content, format)).toEqual(content);
  });

  it('survives a BPMN file, and nothing is listed as omitted', async () => {
    const read = await readBpmnFile(await writeBpmn('key', content));
    expect(read).toMatchObject({ ok: true, leftOut: [], file: content });
  });

  it('is described in documents with its labels, options, limits, units, conditions and help', async () => {
    const markdown = await writeMarkdown(aDocument({ steps: content.steps }), async () => {});
    const lines = markdown.split('\n');
    for (const { label, options = [], required, requiredIf, help = '', min, max, unit } of EVERY_FIELD_KIND) {
      const line = lines.find((each) => each.startsWith(`- **${label}:**`)) ?? '';
      const words = [...options, help, min, max, unit, required ? 'Required' : 'Required if Label of number'];
      for (const word of words.filter((each) => each !== undefined)) expect(line).toContain(String(word));
      if (requiredIf !== undefined) expect(line).toContain('contains(Label of text, "urgent")');
    }
  });
});

describe('the type and settings of a step', () => {
  it.each(['yaml', 'json'] as const)(
    'survive the table editor, the builder and a %s file unchanged',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(runnableContent, async (made) => {
          const content = saved(made);
          const back = throughBuilder(await throughFile(throughEditor(throughBuilder(throughEditor(content))), format));
          expect(essentials(back)).toEqual(essentials(content));
          expect(back.metadata).toEqual(content.metadata);
          expect(contentHash(back)).toBe(contentHash(content));
        }),
        { numRuns: 150 },
      );
    },
  );

  it('also stay the same if rows are renamed and reordered, except for references to other steps', async () => {
    await fc.assert(
      fc.asyncProperty(
        runnableContent,
        fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }),
        async (made, moves) => {
          const content = saved(made);
          const edited = throughEditor(content, (steps) =>
            moves.reduce((now, [from, to]) => {
              const row = now[from % now.length];
              if (!row) return now;
              return now
                .toSpliced(from % now.length, 1)
                .toSpliced(to % now.length, 0, { ...row, title: `${row.title}!` });
            }, steps),
          );
          const back = throughBuilder(await throughFile(throughEditor(throughBuilder(edited)), 'yaml'));
          const byId = (left: Step, right: Step) => (left.id < right.id ? -1 : 1);
          expect(back.steps.toSorted(byId).map(ownSettings)).toEqual(content.steps.toSorted(byId).map(ownSettings));
          expect(contentHash(back)).toBe(contentHash(edited));
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** A step's id, type, and settings that don't refer to other steps. */
function ownSettings({ id, type, config }: Step) {
  const links = new Set(['trueNext', 'falseNext', 'onReject']);
  return { id, type, config: Object.fromEntries(Object.entries(config).filter(([name]) => !links.has(name))) };
}
