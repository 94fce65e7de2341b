/** A child of an element: text, another element, or a list of them; undefined leaves nothing. */
export type Child = Node | string | number | undefined | readonly Child[];

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns an element with attributes and children. Texts are texts: nothing of an answer is taken for markup. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

/** Returns an element of a drawing. */
export function drawn(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** Returns a button that runs something. */
export function button(label: Child, attributes: Attributes, run: () => void): HTMLButtonElement {
  const element = el('button', { type: 'button', ...attributes }, label);
  element.addEventListener('click', run);
  return element;
}

/** Puts children in the place of those that an element has. */
export function show(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...nodesOf(children));
}

function fill<E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  element.append(...nodesOf(children));
  return element;
}

function nodesOf(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => {
    if (child === undefined) return [];
    if (child instanceof Node) return [child];
    return Array.isArray(child) ? nodesOf(child) : [String(child)];
  });
}
