/** Injection token of the object store (libs/storage). */
export const OBJECT_STORE = Symbol('object store');
