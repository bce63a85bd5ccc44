interface Document {
  components: { schemas: Record<string, unknown> };
}

/** Replaces each reference to a component of the document by the component. The contracts have no recursive schema. */
export function inlineReferences<D extends Document>(document: D): D {
  const inline = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inline);
    if (node === null || typeof node !== 'object') return node;
    const { $ref, ...rest } = node as { $ref?: unknown };
    const inlined = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inline(value)]));
    if (typeof $ref !== 'string') return inlined;
    const component = inline(document.components.schemas[$ref.replace('#/components/schemas/', '')]);
    return { ...(component as object), ...inlined };
  };
  return inline(document) as D;
}
