/** Injection token of the object store (libs/storage). */
export const OBJECT_STORE = Symbol('object store');

/** Injection token of the object store for the files of exports, a storage area of its own. */
export const EXPORT_STORE = Symbol('export store');
