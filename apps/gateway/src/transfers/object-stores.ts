/** Injection token of the object store with files and outputs (libs/storage). */
export const OBJECT_STORE = Symbol('object store');
/** Injection token of the object store with export files, a separate storage area. */
export const EXPORT_STORE = Symbol('export store');
