import { z } from 'zod';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A stored file: its path below `out/` (or `in/<source>/`), and its content by hash. Sizes are in bytes. */
export const fileRef = z.object({
  path: z.string().min(1),
  sha256,
  size: z.number().int().nonnegative(),
  /** The masked content that users see instead, if the content contains secret values. */
  shown: z.object({ sha256, size: z.number().int().nonnegative() }).optional(),
});
export type FileRef = z.infer<typeof fileRef>;

/**
 * An ordered set of files. The message contains up to `INLINE_FILES` of them. A larger set is a stored manifest of JSON
 * lines, each a `FileRef`, so that no message exceeds the limit of the broker.
 */
export const fileSet = z.union([
  z.object({ files: z.array(fileRef) }),
  z.object({ manifest: sha256, count: z.number().int().nonnegative() }),
]);
export type FileSet = z.infer<typeof fileSet>;

export const INLINE_FILES = 100;
