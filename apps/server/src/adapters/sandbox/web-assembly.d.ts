export {};

// Node has it; its types know the names alone.
declare global {
  namespace WebAssembly {
    interface Memory {
      readonly buffer: ArrayBuffer;
    }
    const Memory: new (pages: { initial: number; maximum: number }) => Memory;
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}
