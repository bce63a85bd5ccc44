import { z } from 'zod';

export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** One stored file: where it lies below `out/` (or `in/<source>/`), and its content by hash. Sizes in bytes. */
export const fileRef = z.object({
  path: z.string().min(1),
  sha256,
  size: z.number().int().nonnegative(),
  /** What people get to see instead, where the content holds secret values. */
  shown: z.object({ sha256, size: z.number().int().nonnegative() }).optional(),
});
export type FileRef = z.infer<typeof fileRef>;

/**
 * A set of files, in order. Up to `INLINE_FILES` stand in the message itself; more lie in a stored manifest of JSON
 * lines, each a `FileRef`, so that no message outgrows the broker.
 */
export const fileSet = z.union([
  z.object({ files: z.array(fileRef) }),
  z.object({ manifest: sha256, count: z.number().int().nonnegative() }),
]);
export type FileSet = z.infer<typeof fileSet>;

export const INLINE_FILES = 100;
