/** Reads bytes of a content. Both numbers count from 0, and `end` is included, as in HTTP. */
export type ReadRange = (range: { start: number; end: number }, signal: AbortSignal) => Promise<Uint8Array>;

/** The first part that a preview reads. */
export const FIRST_PART_BYTES = 256 * 1024;

/** A preview grows up to this size. The rest is in the download. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Images are read as a whole, up to this size. */
export const MAX_IMAGE_BYTES = 16 * 1024 * 1024;
