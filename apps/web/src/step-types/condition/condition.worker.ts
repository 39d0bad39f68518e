import { evaluateCondition, namesOfRun } from '@stet/domain/expressions';
import type { Sample } from '../settings/sample.ts';

addEventListener('message', ({ data }: MessageEvent<{ text: string; sample: Sample }>) => {
  postMessage(evaluateCondition(data.text, namesOfRun(data.sample.outputs, data.sample.run)));
});
