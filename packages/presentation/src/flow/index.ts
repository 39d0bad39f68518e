export * from './flow-layout.ts';
export * from './lay-out.ts';
export * from './geometry.ts';
