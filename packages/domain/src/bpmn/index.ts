export * from './from-bpmn.ts';
export * from './process.ts';
export * from './to-bpmn.ts';
