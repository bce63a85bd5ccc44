/** Injection token of the object store (libs/storage). */
export const OBJECT_STORE = Symbol('object store');
/** Of the store of the files that exports write, an area of its own. */
export const EXPORT_STORE = Symbol('export store');
