/** Injection token of the store of the files that exports write (libs/storage, an area of its own). */
export const EXPORT_STORE = Symbol('export store');
