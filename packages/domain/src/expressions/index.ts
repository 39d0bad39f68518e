export * from './check-expression.ts';
export * from './evaluate-expression.ts';
export * from './names.ts';
export * from './required-if.ts';
