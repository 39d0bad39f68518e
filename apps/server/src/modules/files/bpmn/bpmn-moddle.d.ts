declare module 'bpmn-moddle' {
  /**
   * An element of the BPMN metamodel. It has a `$type`, for example `bpmn:UserTask`, and properties named as in the
   * BPMN standard.
   */
  export type ModdleElement = {
    $type: string;
    /** Attributes from namespaces that aren't registered. */
    $attrs?: Record<string, unknown>;
    $parent?: ModdleElement;
    [property: string]: unknown;
  };

  export class BpmnModdle {
    constructor(packages?: Record<string, unknown>);
    create(type: string, properties?: Record<string, unknown>): ModdleElement;
    /** Parses BPMN XML. Rejects if the text isn't BPMN. `warnings` lists the parts that can't be read. */
    fromXML(xml: string): Promise<{ rootElement: ModdleElement; warnings: { message: string }[] }>;
    toXML(element: ModdleElement, options?: { format?: boolean }): Promise<{ xml: string }>;
  }
}
