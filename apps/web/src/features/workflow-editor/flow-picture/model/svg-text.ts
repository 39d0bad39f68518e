/** The style properties that an exported drawing needs. Attributes such as positions are exported anyway. */
const LOOKS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'color',
  'font-family',
  'font-size',
  'font-weight',
] as const;

/**
 * Converts a drawing to a self-contained file. Styles are inline, the light theme is used on a white background, and
 * attributes that only the page needs are removed. Fonts are named with common fallbacks.
 */
export function svgText(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [, , width = '0', height = '0'] = (drawing.getAttribute('viewBox') ?? '').split(' ');
  copy.setAttribute('width', width);
  copy.setAttribute('height', height);
  // Styles can only be computed in the page, so the drawing is inserted there briefly, in the light theme.
  const stage = document.createElement('div');
  stage.style.cssText = 'position:fixed;left:-99999px;top:0;color-scheme:light';
  stage.append(copy);
  document.body.append(stage);
  try {
    for (const element of copy.querySelectorAll<SVGElement>('*')) writeLooks(element);
    for (const element of [copy, ...copy.querySelectorAll('*')]) strip(element);
    copy.prepend(sheetOf(copy));
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    return new XMLSerializer().serializeToString(copy);
  } finally {
    stage.remove();
  }
}

function writeLooks(element: SVGElement): void {
  const looks = getComputedStyle(element);
  for (const name of LOOKS) {
    const value = looks.getPropertyValue(name);
    if (value !== '') element.style.setProperty(name, value);
  }
}

function strip(element: Element): void {
  for (const name of element.getAttributeNames()) {
    if (/^(?:class|tabindex|role|aria-.*|data-.*)$/.test(name)) element.removeAttribute(name);
  }
}

function sheetOf(copy: SVGSVGElement): SVGRectElement {
  const sheet = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  const [x = '0', y = '0', width = '0', height = '0'] = (copy.getAttribute('viewBox') ?? '').split(' ');
  for (const [name, value] of Object.entries({ x, y, width, height, fill: '#ffffff' })) sheet.setAttribute(name, value);
  return sheet;
}
