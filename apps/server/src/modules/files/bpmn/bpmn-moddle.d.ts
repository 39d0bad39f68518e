declare module 'bpmn-moddle' {
  /** An element of the BPMN metamodel: `$type` as `bpmn:UserTask`, its properties by their names there. */
  export type ModdleElement = {
    $type: string;
    /** Attributes of namespaces that nobody described. */
    $attrs?: Record<string, unknown>;
    $parent?: ModdleElement;
    [property: string]: unknown;
  };

  export class BpmnModdle {
    constructor(packages?: Record<string, unknown>);
    create(type: string, properties?: Record<string, unknown>): ModdleElement;
    /** Rejects where the text is no BPMN at all; what could not be read of it is in the warnings. */
    fromXML(xml: string): Promise<{ rootElement: ModdleElement; warnings: { message: string }[] }>;
    toXML(element: ModdleElement, options?: { format?: boolean }): Promise<{ xml: string }>;
  }
}
