export {};

// Node has this API, but its types declare only the names.
declare global {
  namespace WebAssembly {
    interface Memory {
      readonly buffer: ArrayBuffer;
    }
    const Memory: new (pages: { initial: number; maximum: number }) => Memory;
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}
