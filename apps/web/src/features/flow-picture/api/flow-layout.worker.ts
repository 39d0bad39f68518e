import { layOutFlow } from '@stet/domain/flow';
import { stepsOfStructure } from '../model/flow-structure.ts';

// Placing hundreds of boxes takes longer than a frame has.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage({ structure: data, layout: layOutFlow(stepsOfStructure(data)) });
});
