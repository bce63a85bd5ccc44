/** Reads bytes of a content. Both numbers count from 0, and `end` is included, as in HTTP. */
export type ReadRange = (range: { start: number; end: number }, signal: AbortSignal) => Promise<Uint8Array>;

/** The first part that a preview reads. */
export const FIRST_PART_BYTES = 256_000;

/** A preview grows up to this size. The rest is in the download. */
export const MAX_TEXT_BYTES = 4_000_000;

/** Images are read as a whole, up to this size. */
export const MAX_IMAGE_BYTES = 16_000_000;
