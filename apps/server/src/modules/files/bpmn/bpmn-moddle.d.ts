declare module 'bpmn-moddle' {
  /**
   * An element of the BPMN metamodel: `$type`, for example `bpmn:UserTask`, and its properties under their BPMN names.
   */
  export type ModdleElement = {
    $type: string;
    /** Attributes of unregistered namespaces. */
    $attrs?: Record<string, unknown>;
    $parent?: ModdleElement;
    [property: string]: unknown;
  };

  export class BpmnModdle {
    constructor(packages?: Record<string, unknown>);
    create(type: string, properties?: Record<string, unknown>): ModdleElement;
    /** Rejects if the text isn't BPMN; unreadable parts are in the warnings. */
    fromXML(xml: string): Promise<{ rootElement: ModdleElement; warnings: { message: string }[] }>;
    toXML(element: ModdleElement, options?: { format?: boolean }): Promise<{ xml: string }>;
  }
}
